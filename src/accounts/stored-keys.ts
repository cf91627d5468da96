/** Reads the lists of revoked keys from the store. Memory does not keep them, because only reports need them. */
import type { AccountStore, Key } from './ports.ts';

/** Keys read at a time. */
const BATCH = 200;

/** The same keys in the same order; revoked ones with the lists of models and addresses that they had. */
export async function withStoredLists(
  store: Pick<AccountStore, 'keysById'>,
  keys: readonly Key[],
): Promise<readonly Key[]> {
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id);
  if (revoked.length === 0) return keys;
  const stored = new Map<Key['id'], Key>();
  for (let from = 0; from < revoked.length; from += BATCH)
    for (const key of await store.keysById(revoked.slice(from, from + BATCH))) stored.set(key.id, key);
  return keys.map((key) => stored.get(key.id) ?? key);
}
