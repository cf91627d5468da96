/** Prices that were imported or pinned, in memory: after those of the configuration, before the built-in ones. */
import { isDeepStrictEqual } from 'node:util';
import type { ListedPrice } from './ports.ts';

/** How imported and pinned prices are changed. */
export interface PriceChange {
  /** Called in the transaction; throws the error that the request would get if it came now. */
  checkStill?(): Promise<void>;
  /** Records the change, in its transaction. */
  note?(rows: readonly ListedPrice[]): Promise<void>;
}

export class ListedPrices {
  readonly #rows: ReadonlyMap<string, ListedPrice>;

  constructor(rows: readonly ListedPrice[]) {
    this.#rows = new Map(rows.map((row) => [keyOf(row.provider, row.upstreamModel), row]));
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

  /** Whether these are all rows, as they are here. */
  isSame(rows: readonly ListedPrice[]): boolean {
    return (
      rows.length === this.#rows.size &&
      rows.every((row) => isDeepStrictEqual(this.#rows.get(keyOf(row.provider, row.upstreamModel)), row))
    );
  }

  /** With these rows added, or in place of the ones they replace. */
  with(rows: readonly ListedPrice[]): ListedPrices {
    return new ListedPrices([...this.all(), ...rows]);
  }
}

export const NO_LISTED_PRICES: ListedPrices = new ListedPrices([]);

function keyOf(provider: string, upstreamModel: string): string {
  return JSON.stringify([provider, upstreamModel]);
}
