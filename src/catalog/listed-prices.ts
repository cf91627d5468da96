/** Prices that were imported or pinned, in memory: after those of the configuration, before the built-in ones. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '../providers/provider.ts';
import type { Prices } from './model.ts';
import type { ListedPrice } from './ports.ts';
import { raisedPrices } from './prices.ts';

/** How imported and pinned prices are changed. */
export interface PriceChange {
  /** Called in the transaction; throws the error that the request would get if it came now. */
  checkStill?(): Promise<void>;
  /** Records the change, in its transaction. */
  note?(rows: readonly ListedPrice[]): Promise<void>;
}

/** Rows that are compared before others run: about 2 ms. */
const TURN_ROWS = 500;

export class ListedPrices {
  readonly #rows = new Map<string, ListedPrice>();

  constructor(rows: readonly ListedPrice[]) {
    for (const row of rows) this.#rows.set(keyOf(row.provider, row.upstreamModel), row);
  }

  /** A row of exactly this provider, by its name or kind. */
  get(provider: string, upstreamModel: string): ListedPrice | null {
    return this.#rows.get(keyOf(provider, upstreamModel)) ?? null;
  }

  /** What applies to a model of a provider: the row of its name, otherwise that of its kind. */
  find(provider: { readonly name: string; readonly kind: string }, upstreamModel: string): ListedPrice | null {
    return this.get(provider.name, upstreamModel) ?? this.get(provider.kind, upstreamModel);
  }

  all(): readonly ListedPrice[] {
    return [...this.#rows.values()];
  }

  /** Whether these are all rows, as they are here. Compares them in turns of the event loop. */
  async isSame(rows: readonly ListedPrice[]): Promise<boolean> {
    if (rows.length !== this.#rows.size) return false;
    for (const [at, row] of rows.entries()) {
      if (at % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
      if (!isDeepStrictEqual(this.#rows.get(keyOf(row.provider, row.upstreamModel)), row)) return false;
    }
    return true;
  }

  /** With these rows added, or in place of the ones they replace. */
  with(rows: readonly ListedPrice[]): ListedPrices {
    const prices = new ListedPrices([]);
    for (const [key, row] of this.#rows) prices.#rows.set(key, row);
    for (const row of rows) prices.#rows.set(keyOf(row.provider, row.upstreamModel), row);
    return prices;
  }
}

export const NO_LISTED_PRICES: ListedPrices = new ListedPrices([]);

/** What was imported or pinned, otherwise what is known. Null, for no price, if what was pinned cannot be read: the known price may be another. */
export function pricesOf(
  listed: ListedPrices,
  provider: Provider,
  upstream: string,
  known: () => Prices | null,
): Prices | null {
  if (listed.find(provider, upstream)?.isUnreadable === true) return null;
  return listedPrices(listed, provider, upstream) ?? known();
}

/** Null: nothing was imported or pinned. What a table says of a kind of provider is raised by what it costs more in a region. */
function listedPrices(listed: ListedPrices, provider: Provider, upstream: string): Prices | null {
  const row = listed.find(provider, upstream);
  if (row === null || row.prices === null || row.provider === provider.name) return row?.prices ?? null;
  return raisedPrices(row.prices, provider.surchargePercent(upstream));
}

function keyOf(provider: string, upstreamModel: string): string {
  return JSON.stringify([provider, upstreamModel]);
}
