/**
 * Which models a reader sees: those that its key, its project and its account may use, by their ids and for an operation that is permitted and has a price, and
 * the aliases that lead to them.
 */
import { listsOf, mayUseModel, type Permissions } from '../../../accounts/limits.ts';
import type { PinnedRates } from '../../../billing/rates.ts';
import type { AliasRule } from '../../../catalog/alias.ts';
import type { Catalog, Model } from '../../../catalog/model.ts';
import { isFor } from '../../../catalog/model-purpose.ts';
import { isPricedFor } from '../../../catalog/prices.ts';
import type { UnitKind } from '../../../core/units/units.ts';
import { operations } from '../../../operations/index.ts';
import type { Operation } from '../../../operations/operation.ts';
import { aliasModel } from './alias-model.ts';
import { filterInTurns } from './in-turns.ts';

/** The permissions of a key, its project and its account: a model is visible if all allow it. */
export type AllOf = readonly Permissions[];

/** Who asks: what it may see, and at what rates it is charged. */
export interface Reader {
  readonly permissions: AllOf;
  readonly rates: PinnedRates;
  /** The aliases that its requests can use, in order of name. They come before the models. */
  readonly aliases?: readonly AliasRule[];
}

/** What of the models it sees. */
export type Seeing = Pick<Reader, 'permissions' | 'aliases'>;

/** To count tokens is only useful for calls that are charged by them. */
const NO_UNITS: readonly UnitKind[] = [];
const NO_ALIASES: readonly AliasRule[] = [];
/** Many keys share few sets of permissions. For 20,000 models a set takes 160 kB. */
const KEPT_MAX = 32;
/** Comparisons of a model with a pattern that are made before others run: about 2 ms. */
const COMPARISONS_PER_TURN = 50_000;

export class VisibleModels {
  readonly catalog: Catalog;
  readonly #listUnpriced: boolean;
  readonly #listed: ReadonlySet<Model>;
  readonly #models: readonly Model[];
  /** By permissions. */
  readonly #kept = new Map<string, Promise<readonly Model[]>>();

  /** `listUnpriced`: whether models without a known price are listed. */
  constructor(catalog: Catalog, listUnpriced: boolean) {
    this.catalog = catalog;
    this.#listUnpriced = listUnpriced;
    this.#models = catalog.all().filter(({ targets }) => listUnpriced || targets.some(({ prices }) => prices !== null));
    this.#listed = new Set(this.#models);
  }

  /** Aliases first, in order of name; then models, in order of id. */
  async of({ permissions, aliases = NO_ALIASES }: Seeing): Promise<readonly Model[]> {
    const models = permissions.every(allowsEvery) ? this.#models : await this.#allowed(permissions);
    if (aliases.length === 0) return models;
    return [...aliases.map((rule) => this.#ofAlias(permissions, rule)).filter((model) => model !== null), ...models];
  }

  /** A model by its id or another spelling of it, or an alias by its name; null if there is none that the reader sees. */
  find({ permissions, aliases = NO_ALIASES }: Seeing, id: string): Model | null {
    const known = this.catalog.get(id);
    if (known !== undefined) return this.isSeen(permissions, known) ? known : null;
    const rule = aliases.find(({ name }) => name === id);
    return rule === undefined ? null : this.#ofAlias(permissions, rule);
  }

  isSeen(permissions: AllOf, model: Model): boolean {
    return (
      this.#listed.has(model) &&
      mayUse(permissions, model.id) &&
      this.#isCallable(model, permittedOperations(permissions))
    );
  }

  #ofAlias(permissions: AllOf, rule: AliasRule): Model | null {
    // An id always means its model, also if the model came after the alias.
    if (this.catalog.get(rule.name) !== undefined) return null;
    return aliasModel(rule, this.catalog, (model) => this.isSeen(permissions, model));
  }

  #allowed(permissions: AllOf): Promise<readonly Model[]> {
    const key = keyOf(permissions);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    forgetOldest(this.#kept, KEPT_MAX);
    const patterns = permissions.reduce(
      (sum, each) => sum + listsOf(each).reduce((all, list) => all + list.length, 0),
      1,
    );
    const perTurn = Math.ceil(COMPARISONS_PER_TURN / patterns);
    const operations = permittedOperations(permissions);
    const models = filterInTurns(
      this.#models,
      (model) => mayUse(permissions, model.id) && this.#isCallable(model, operations),
      perTurn,
    );
    this.#kept.set(key, models);
    return models;
  }

  /** Whether one of these operations is what the model is for, and has a price where it is served. */
  #isCallable(model: Model, permitted: readonly Operation[] | null): boolean {
    if (permitted === null) return true;
    return permitted.some((operation) => isFor(model, operation.name) && this.#isPriced(model, operation));
  }

  #isPriced({ targets }: Model, operation: Operation): boolean {
    return targets.some(({ prices }) =>
      prices === null ? this.#listUnpriced : isPricedFor(prices, operation.isPaid ? operation.unitKinds : NO_UNITS),
    );
  }
}

/** The same text for readers who see the same models. */
export function keyOf(permissions: AllOf): string {
  return JSON.stringify(
    permissions.map(({ modelsAllow, modelsDeny, operations }) => [
      modelsAllow ?? null,
      modelsDeny ?? null,
      operations ?? null,
    ]),
  );
}

export function mayUse(permissions: AllOf, modelId: string): boolean {
  return permissions.every((each) => mayUseModel(each, modelId));
}

/** Makes room for one more. */
export function forgetOldest(kept: Map<unknown, unknown>, countMax: number): void {
  const [oldest] = kept.keys();
  if (kept.size >= countMax && oldest !== undefined) kept.delete(oldest);
}

function allowsEvery({ modelsAllow, modelsDeny, operations }: Permissions): boolean {
  return modelsAllow === undefined && modelsDeny === undefined && operations === undefined;
}

/** Null: all. */
function permittedOperations(permissions: AllOf): readonly Operation[] | null {
  if (permissions.every((each) => each.operations === undefined)) return null;
  return Object.values<Operation>(operations).filter(({ permission }) =>
    permissions.every((each) => each.operations?.includes(permission) ?? true),
  );
}
