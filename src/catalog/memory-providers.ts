/** Providers of a dashboard in memory, for tests. */
import type { ProviderStore, StoredProvider, StoredProviderChanges } from './ports.ts';

export class MemoryProviders implements ProviderStore {
  readonly rows = new Map<string, StoredProvider>();

  async list(): Promise<readonly StoredProvider[]> {
    return [...this.rows.values()];
  }

  async create(provider: StoredProvider): Promise<boolean> {
    if (this.rows.has(provider.name)) return false;
    this.rows.set(provider.name, provider);
    return true;
  }

  async update(name: string, changes: StoredProviderChanges): Promise<boolean> {
    const row = this.rows.get(name);
    if (row === undefined) return false;
    this.rows.set(name, { ...row, ...changes });
    return true;
  }

  async delete(name: string): Promise<boolean> {
    return this.rows.delete(name);
  }
}
