/** Keys as the store has them. Memory keeps no lists of revoked ones, which nothing but a report asks for. */
import type { AccountStore, Key } from './ports.ts';

/** How many are read at a time. */
const BATCH = 200;

/** The same keys in the same order; those that are revoked with the lists of models and addresses that they had. */
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
