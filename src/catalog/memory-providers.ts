/** The dashboard's providers in memory, for tests. */
import type { ListedPrice, ListedPriceStore, ProviderStore, StoredProvider, StoredProviderChanges } from './ports.ts';

export class MemoryProviders implements ProviderStore {
  readonly rows = new Map<string, StoredProvider>();
  #seq = 0;

  async list(): Promise<readonly StoredProvider[]> {
    return [...this.rows.values()];
  }

  async create(provider: StoredProvider): Promise<number | null> {
    if (this.rows.has(provider.name)) return null;
    return this.#put(provider);
  }

  async update(name: string, changes: StoredProviderChanges): Promise<number | null> {
    const row = this.rows.get(name);
    return row === undefined ? null : this.#put({ ...row, ...changes });
  }

  async delete(name: string): Promise<number | null> {
    this.#seq += 1;
    return this.rows.delete(name) ? this.#seq : null;
  }

  #put(provider: StoredProvider): number {
    this.#seq += 1;
    this.rows.set(provider.name, { ...provider, seq: this.#seq });
    return this.#seq;
  }
}

export class MemoryListedPrices implements ListedPriceStore {
  /** In the order in which they were written; the last of a provider and model counts. */
  readonly rows: ListedPrice[] = [];

  async list(): Promise<readonly ListedPrice[]> {
    const isLast = (row: ListedPrice) =>
      this.rows.findLast((each) => each.provider === row.provider && each.upstreamModel === row.upstreamModel) === row;
    return this.rows.filter(isLast);
  }

  async put(prices: readonly ListedPrice[]): Promise<void> {
    this.rows.push(...prices);
  }
}
