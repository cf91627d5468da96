/** Reads the providers of the dashboard from their store, and compares them with those in memory. */
import { isDeepStrictEqual } from 'node:util';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { Outside } from '../../providers/outside.ts';
import type { ProviderStore, StoredProvider } from '../ports.ts';
import { openStored } from '../stored-provider.ts';
import type { Entries } from './make-snapshot.ts';

export interface EntrySources {
  readonly store: Pick<ProviderStore, 'list'>;
  readonly sealer: Sealer;
  readonly outside: Outside;
}

/**
 * Entries that are as they were stay the same objects, unless they could not be opened: their key may have come since. `isOther`: what has
 * the same number may still differ.
 */
export async function readEntries(
  { store, sealer, outside }: EntrySources,
  known: Entries,
  isOther = false,
): Promise<Entries> {
  return new Map(
    (await store.list()).map((stored) => {
      const before = known.get(stored.name);
      const isSame = before !== undefined && before.stored.seq === stored.seq && before.problem === null;
      return [
        stored.name,
        isSame && !(isOther && !isDeepStrictEqual(before.stored, stored))
          ? before
          : openStored(stored, sealer, outside),
      ];
    }),
  );
}

/** Whether the entries in memory match the stored ones. */
export function isSame(known: Entries, stored: readonly StoredProvider[]): boolean {
  return known.size === stored.length && stored.every(({ name, seq }) => known.get(name)?.stored.seq === seq);
}
