/** Makes the serving snapshot of what the registry has in memory. */

import type { ListedPrices } from '../listed-prices.ts';
import type { FixedProvider } from '../listed-provider.ts';
import { configuredModels } from '../model-settings.ts';
import { type CatalogSources, openCatalog } from '../open-catalog.ts';
import type { ServingSnapshot } from '../serving-snapshot.ts';
import type { StoredEntry } from '../stored-provider.ts';

/** The providers of the dashboard, by name. */
export type Entries = ReadonlyMap<string, StoredEntry>;

/** What is stored. */
export interface Opened {
  readonly entries: Entries;
  readonly listed: ListedPrices;
}

/** What is configured. */
export interface SnapshotParts {
  readonly wholeModels: CatalogSources['wholeModels'];
  readonly pin: CatalogSources['pin'];
  /** In the order configured. */
  readonly fixed: readonly FixedProvider[];
}

/** `openedAt`: when the registry was opened, Unix seconds. Rejects if the providers cannot be served together. */
export async function makeSnapshot(
  { fixed, wholeModels = [], pin }: SnapshotParts,
  { entries, listed }: Opened,
  openedAt: number,
): Promise<ServingSnapshot> {
  const configured = fixed.filter(({ source }) => source !== 'built-in');
  const names = new Set(fixed.map(({ provider }) => provider.name));
  const stored = [...entries.values()].flatMap(({ stored, provider }) =>
    provider === null || !stored.enabled || names.has(stored.name) ? [] : [{ provider, models: stored.models }],
  );
  const builtIn = fixed.filter(({ source }) => source === 'built-in');
  const providers = [...configured, ...stored, ...builtIn].map(({ provider }) => provider);
  const catalog = await openCatalog({
    providers,
    configuredModels: [
      ...configured.flatMap(({ models }) => models),
      ...stored.flatMap(({ provider, models }) => configuredModels(provider.name, models)),
    ],
    wholeModels,
    configuredAt: (name) => {
      const createdAt = names.has(name) ? undefined : entries.get(name)?.stored.createdAt;
      return createdAt === undefined ? openedAt : secondsOf(createdAt);
    },
    listed,
    pin,
  });
  return { providers: new Map(providers.map((provider) => [provider.name, provider])), catalog };
}

/** Unix seconds. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}
