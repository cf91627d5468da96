/** What importing the rows of a price table would change, found in turns of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListedPrices } from './listed-prices.ts';
import type { Model, Prices, Target } from './model.ts';
import type { Purposeful } from './model-purpose.ts';
import { knownModels } from './models.ts';
import type { ListedPrice } from './ports.ts';
import { suspicionOf } from './price-tables/check-prices.ts';
import { withKept } from './price-tables/kept-prices.ts';
import { writeOwnPrices } from './price-tables/own-prices.ts';
import { dayStart, type TableRow } from './price-tables/table-row.ts';
import { readKnownPrices } from './prices.ts';
import { PIN } from './target-facts.ts';

/** Prices and retirement of a provider's model. */
export interface PriceState {
  readonly prices: Prices | null;
  readonly retiresAt: number | null;
}

export interface PlannedChange {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly before: PriceState;
  readonly after: PriceState;
  /** Names of prices that the table lacks and that stay: fees of tools, and of units next to prices of tokens. */
  readonly kept: readonly string[];
  /** Why a person should check it first; null for an ordinary change. */
  readonly suspicion: string | null;
  /** The configuration has a price of the model there, which comes first: the change has no effect while it does. */
  readonly isOverridden: boolean;
}

export interface PlaceFacts {
  readonly models: readonly Model[];
  readonly kindOf: (provider: string) => string | undefined;
  readonly listed: ListedPrices;
  /** Names of models at their providers. */
  readonly wanted: ReadonlySet<string>;
}

export interface ImportPlan {
  readonly changes: readonly PlannedChange[];
  readonly unchanged: number;
  /** Left as they are. */
  readonly pinned: number;
  /** Of models that the catalogue does not have. */
  readonly unknown: number;
}

/**
 * Where prices can be listed: a provider, by kind or name, and its name of a model, with what applies there now. Only of models whose name there
 * is wanted, because the catalogue can have tens of thousands.
 */
export class PricePlaces {
  readonly #places = new Map<string, PriceState>();
  /** Whether all targets of a place have their prices from the configuration. */
  readonly #configured = new Map<string, boolean>();
  /** Where models bring their prices with them. */
  readonly #own = new Set<string>();
  /** What models are for, by place. */
  readonly #models = new Map<string, Purposeful[]>();
  /** By kind of provider. */
  readonly #builtIn = new Map<string, Prices>();
  readonly #kindOf: PlaceFacts['kindOf'];

  private constructor(kindOf: PlaceFacts['kindOf']) {
    this.#kindOf = kindOf;
  }

  static async of({ models, kindOf, listed, wanted }: PlaceFacts): Promise<PricePlaces> {
    const places = new PricePlaces(kindOf);
    await inTurns(knownModels(), TURN_MODELS, (model) => {
      for (const { provider, upstreamModel, prices, retires } of model.targets)
        if (wanted.has(upstreamModel)) {
          const known = readKnownPrices(prices);
          places.#add(provider, upstreamModel, { prices: known, retiresAt: dayStart(retires) });
          places.#builtIn.set(keyOf(provider, upstreamModel), known);
          places.#addModel(provider, upstreamModel, model);
        }
    });
    await inTurns(models, TURN_MODELS, (model) => {
      for (const target of model.targets)
        if (wanted.has(target.upstreamModel)) places.#addTarget(model, target, kindOf);
    });
    await inTurns(listed.all(), TURN_MODELS, (row) => {
      if (wanted.has(row.upstreamModel)) places.#addListed(row);
    });
    return places;
  }

  /** Null if the catalogue has no such model there. */
  of(provider: string, upstreamModel: string): PriceState | null {
    return this.#places.get(keyOf(provider, upstreamModel)) ?? null;
  }

  /** Whether a price that is listed for this place has no effect now. */
  isOverridden(provider: string, upstreamModel: string): boolean {
    return this.#configured.get(keyOf(provider, upstreamModel)) === true;
  }

  /** Whether a model brings its prices with it there, as the demo's do: a price that is listed for this place has no effect. */
  bringsPrices(provider: string, upstreamModel: string): boolean {
    return this.#own.has(keyOf(provider, upstreamModel));
  }

  /** Before what a region costs more; null if none is known. */
  builtIn(provider: string, upstreamModel: string): Prices | null {
    const kind = this.#kindOf(provider) ?? provider;
    return this.#builtIn.get(keyOf(kind, upstreamModel)) ?? null;
  }

  /** What the models are for that have this name there. */
  models(provider: string, upstreamModel: string): readonly Purposeful[] {
    return this.#models.get(keyOf(provider, upstreamModel)) ?? [];
  }

  #addTarget(
    model: Purposeful,
    { provider, upstreamModel, prices, retiresAt, priceOrigin }: Target,
    kindOf: PlaceFacts['kindOf'],
  ): void {
    for (const place of new Set([provider, kindOf(provider) ?? provider])) {
      this.#add(place, upstreamModel, { prices, retiresAt: retiresAt ?? null });
      this.#addModel(place, upstreamModel, model);
      const key = keyOf(place, upstreamModel);
      if (priceOrigin === undefined) this.#own.add(key);
      this.#configured.set(key, priceOrigin === 'configured' && (this.#configured.get(key) ?? true));
    }
  }

  #addListed({ provider, upstreamModel, prices, retiresAt }: ListedPrice): void {
    const known = this.of(provider, upstreamModel);
    this.#places.set(keyOf(provider, upstreamModel), {
      prices: prices ?? known?.prices ?? null,
      retiresAt: retiresAt ?? known?.retiresAt ?? null,
    });
  }

  #addModel(provider: string, upstreamModel: string, model: Purposeful): void {
    const key = keyOf(provider, upstreamModel);
    const models = this.#models.get(key);
    if (models === undefined) this.#models.set(key, [model]);
    else models.push(model);
  }

  /** The first is what applies. */
  #add(provider: string, upstreamModel: string, state: PriceState): void {
    const key = keyOf(provider, upstreamModel);
    if (!this.#places.has(key)) this.#places.set(key, state);
  }
}

/** Models, and rows that are listed, that are looked through before others run: about 2 ms. */
const TURN_MODELS = 2_000;
/** Rows that are compared: about 3 ms. */
const TURN_ROWS = 100;

export async function planImport(
  rows: readonly TableRow[],
  places: PricePlaces,
  listed: ListedPrices,
): Promise<ImportPlan> {
  const changes: PlannedChange[] = [];
  const counts = { unchanged: 0, pinned: 0, unknown: 0 };
  await inTurns(rows, TURN_ROWS, ({ provider, upstreamModel, prices, retiresAt }) => {
    const before = places.of(provider, upstreamModel);
    if (before === null) counts.unknown += 1;
    else if (listed.get(provider, upstreamModel)?.isPinned === true) counts.pinned += 1;
    else {
      // A table that says nothing of a retirement does not take it back.
      const row = listed.get(provider, upstreamModel);
      const isOwn = row?.source === PIN && row.prices !== null;
      const { prices: whole, kept } = withKept(prices, before.prices, isOwn);
      const after = { prices: whole, retiresAt: retiresAt ?? before.retiresAt };
      if (isSame(before, after)) counts.unchanged += 1;
      else {
        const isOverridden = places.isOverridden(provider, upstreamModel);
        const suspicion = suspicionOf(before.prices, whole);
        changes.push({ provider, upstreamModel, before, after, kept, suspicion, isOverridden });
      }
    }
  });
  changes.sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  return { changes, ...counts };
}

/** Does something with each, `perTurn` of them before others run. */
export async function inTurns<Each>(all: readonly Each[], perTurn: number, run: (each: Each) => void): Promise<void> {
  for (const [at, each] of all.entries()) {
    if (at % perTurn === perTurn - 1) await nextTurn();
    run(each);
  }
}

/** The row that a change writes. */
export function rowAfter(
  { provider, upstreamModel, after }: PlannedChange,
  source: string,
  changedAt: number,
): ListedPrice {
  return { provider, upstreamModel, ...after, source, isPinned: false, changedAt };
}

function isSame(one: PriceState, other: PriceState): boolean {
  return one.retiresAt === other.retiresAt && textOf(one.prices) === textOf(other.prices);
}

function textOf(prices: Prices | null): string | null {
  return prices === null ? null : JSON.stringify(writeOwnPrices(prices));
}

function nameOf({ provider, upstreamModel }: PlannedChange): string {
  return `${provider} ${upstreamModel}`;
}

function keyOf(provider: string, upstreamModel: string): string {
  return JSON.stringify([provider, upstreamModel]);
}
