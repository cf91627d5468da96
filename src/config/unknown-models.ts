/** Ids of models in the configuration that no model has: a typo that would change nothing, in silence. */
import type { Catalog } from '../catalog/model.ts';
import { knownIdOf, knownModels } from '../catalog/models.ts';
import { runAtOnce, type Steps } from '../core/turns/steps.ts';
import type { Config } from './config.ts';
import { nearestInSteps } from './nearest.ts';

export interface UnknownModel {
  /** `billing.modelMarkups[2].model` */
  readonly option: string;
  /** What `LoadedConfig.origins` has its place under. */
  readonly origin: string;
  readonly model: string;
  /** The id that was probably meant; null if none is like it. */
  readonly meant: string | null;
}

/** More are left out: the first ones say enough, and looking for what was meant takes long: 0.2 s each among 20,000 models. */
const NAMED_MAX = 20;

/** A model that the catalogue of the program knows is none of them, even if no provider serves it now. In the order of the options. */
export function unknownModels(
  config: Pick<Config, 'aliases' | 'billing'>,
  catalog: Pick<Catalog, 'get' | 'all'>,
): readonly UnknownModel[] {
  return runAtOnce(unknownModelsInSteps(config, catalog));
}

/** The same while calls run. */
export function* unknownModelsInSteps(
  { aliases, billing }: Pick<Config, 'aliases' | 'billing'>,
  catalog: Pick<Catalog, 'get' | 'all'>,
): Steps<readonly UnknownModel[]> {
  const named: readonly Omit<UnknownModel, 'meant'>[] = [
    ...billing.modelMarkups.map(({ model }, index) => ({
      option: `billing.modelMarkups[${index}].model`,
      origin: `billing.modelMarkups.${model}`,
      model,
    })),
    ...aliases.flatMap(({ name, targets }, index) =>
      targets.map(({ model }, at) => ({
        option: `aliases[${index}].targets[${at}].model`,
        origin: `aliases.${name}.targets`,
        model,
      })),
    ),
  ];
  const unknown = named.filter(({ model }) => catalog.get(model) === undefined && knownIdOf(model) === null);
  if (unknown.length === 0) return [];
  const ids = [...new Set([...catalog.all(), ...knownModels()].map(({ id }) => id))];
  const found: UnknownModel[] = [];
  for (const each of unknown.slice(0, NAMED_MAX))
    found.push({ ...each, meant: yield* nearestInSteps(each.model, ids) });
  return found;
}

/** `no model has the id acme/lage; did you mean acme/large?` */
export function unknownModelText({ model, meant }: UnknownModel): string {
  return `no model has the id ${model}${meant === null ? '' : `; did you mean ${meant}?`}`;
}
