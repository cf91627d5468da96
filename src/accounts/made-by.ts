/** Finds the keys that somebody created, in slices, because there may be a million. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountId } from '../core/ids.ts';
import { type Key, keyStatus } from './keys.ts';

/** Makers of keys: `user:<id>` or `key:<id>`, as in `createdBy`. */
export type Makers = ReadonlySet<string>;

/** About 0.3 ms of work. */
const SLICE_KEYS = 5000;

/** A key and those it was rotated from: a rotation creates another key, which also counts as the maker of what the earlier ones created. */
export async function makersOfKey(keys: Iterable<Key>, { id, rootId }: Key): Promise<Makers> {
  const makers = new Set<string>();
  await visitEach(keys, (key) => {
    if (key.rootId === rootId && key.id <= id) makers.add(`key:${key.id}`);
  });
  return makers;
}

/** A person of an account and the management keys that they created there. */
export async function makersOfPerson(keys: Iterable<Key>, account: AccountId, person: string): Promise<Makers> {
  const makers = new Set([person]);
  await visitEach(keys, (key) => {
    if (key.accountId === account && key.kind === 'management' && key.createdBy === person) makers.add(`key:${key.id}`);
  });
  return makers;
}

/**
 * Inference keys that work, or could work again: neither revoked nor expired. In the order of `keys`. Management keys end with their
 * makers.
 */
export async function keysMadeBy(
  keys: Iterable<Key>,
  account: AccountId,
  makers: Makers,
  nowMs: number,
): Promise<readonly Key[]> {
  const made: Key[] = [];
  await visitEach(keys, (key) => {
    if (key.kind === 'inference' && isMadeBy(key, account, makers) && keyStatus(key, nowMs) !== 'expired')
      made.push(key);
  });
  return made;
}

/** Whether a key of the account is not revoked and was created by one of the makers. */
function isMadeBy(key: Key, account: AccountId, makers: Makers): boolean {
  return key.accountId === account && key.revokedAt === null && key.createdBy !== null && makers.has(key.createdBy);
}

async function visitEach(keys: Iterable<Key>, visit: (key: Key) => void): Promise<void> {
  let visited = 0;
  for (const key of keys) {
    visited += 1;
    if (visited % SLICE_KEYS === 0) await nextTurn();
    visit(key);
  }
}
