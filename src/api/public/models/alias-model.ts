/**
 * An alias as lists of models show it: an entry like any other, with its name as the id. It says what holds whichever of its models answers:
 * the smallest limits, what all of them can do, and the price of the one whose output costs most. `canonical_slug` is the alias, too: which
 * model answers may differ by key and by call, and the answer names it.
 */
import type { AliasRule } from '../../../catalog/alias.ts';
import type { Catalog, Model, Target } from '../../../catalog/model.ts';
import { type AliasModel, servedBy } from '../../../routing/aliases.ts';

/** Null if none of its models is one that the caller sees. */
export function aliasModel(
  { name, targets }: AliasRule,
  catalog: Catalog,
  isSeen: (model: Model) => boolean,
): Model | null {
  const found = targets.flatMap((target) => {
    const served = servedBy(target, catalog);
    return served !== null && isSeen(served.model) ? [{ ...served, weight: target.weight }] : [];
  });
  const [first] = found.toSorted((one, other) => other.weight - one.weight);
  if (first === undefined) return null;
  const models = found.map(({ model }) => model);
  const costliest = mostExpensive(found);
  const alias: Model = {
    ...first.model,
    id: name,
    name,
    description: `An alias: leads to ${[...new Set(models.map(({ id }) => id))].join(', ')}.`,
    created: Math.max(...models.map(({ created }) => created)),
    contextWindow: least(models.map(({ contextWindow }) => contextWindow)),
    outputCap: least(models.map(({ outputCap }) => outputCap)),
    inputModalities: common(models.map(({ inputModalities }) => inputModalities)),
    outputModalities: common(models.map(({ outputModalities }) => outputModalities)),
    supportedParameters: common(models.map(({ supportedParameters }) => supportedParameters)),
    efforts: models.some(({ efforts }) => efforts === null) ? null : common(models.map(({ efforts }) => efforts ?? [])),
    knowledgeCutoff: models.every(({ knowledgeCutoff }) => knowledgeCutoff === first.model.knowledgeCutoff)
      ? first.model.knowledgeCutoff
      : null,
    targets: [targetOf(costliest)],
  };
  priced.set(alias, costliest.model);
  return alias;
}

const priced = new WeakMap<Model, Model>();

/** The model whose price an entry has: for an alias, that of the one whose output costs most. */
export function pricedModel(entry: Model): Model {
  return priced.get(entry) ?? entry;
}

/** Where it is tried first. */
function targetOf({ model, provider }: AliasModel): Target {
  return model.targets.find((target) => provider === null || target.provider === provider) as Target;
}

/** One without a price before all others: nothing is known of it. */
function mostExpensive(found: readonly AliasModel[]): AliasModel {
  return found.reduce((most, each) => {
    const [known, next] = [targetOf(most).prices, targetOf(each).prices];
    if (known === null || next === null) return known === null ? most : each;
    return next.output > known.output ? each : most;
  });
}

/** Null, for unknown, only if all are. */
function least(limits: readonly (number | null)[]): number | null {
  const known = limits.filter((limit) => limit !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function common<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const [first = [], ...rest] = lists;
  return first.filter((item) => rest.every((list) => list.includes(item)));
}
