/** Which keys somebody made: looked for a slice at a time, for there may be a million. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountId } from '../core/ids.ts';
import { type Key, keyStatus } from './keys.ts';

/** Whoever makes keys: `user:<id>` or `key:<id>`, as `createdBy` says. */
export type Makers = ReadonlySet<string>;

/** Some 0.3 ms. */
const SLICE_KEYS = 5000;

/** A key with its secrets before: rotated, it is another one, which goes on with what the earlier ones began. */
export async function makersOfKey(keys: Iterable<Key>, { id, rootId }: Key): Promise<Makers> {
  const makers = new Set<string>();
  await lookAtEach(keys, (key) => {
    if (key.rootId === rootId && key.id <= id) makers.add(`key:${key.id}`);
  });
  return makers;
}

/** A person of an account with the management keys that they made there. */
export async function makersOfPerson(keys: Iterable<Key>, account: AccountId, person: string): Promise<Makers> {
  const makers = new Set([person]);
  await lookAtEach(keys, (key) => {
    if (key.accountId === account && key.kind === 'management' && key.createdBy === person) makers.add(`key:${key.id}`);
  });
  return makers;
}

/** Inference keys that work, or could again: neither revoked nor expired. In the order of `keys`. Management keys end with their makers. */
export async function keysMadeBy(
  keys: Iterable<Key>,
  account: AccountId,
  makers: Makers,
  nowMs: number,
): Promise<readonly Key[]> {
  const made: Key[] = [];
  await lookAtEach(keys, (key) => {
    if (key.kind === 'inference' && isMadeBy(key, account, makers) && keyStatus(key, nowMs) !== 'expired')
      made.push(key);
  });
  return made;
}

/** Whether it is not revoked, and was made by one of them. */
function isMadeBy(key: Key, account: AccountId, makers: Makers): boolean {
  return key.accountId === account && key.revokedAt === null && key.createdBy !== null && makers.has(key.createdBy);
}

async function lookAtEach(keys: Iterable<Key>, look: (key: Key) => void): Promise<void> {
  let looked = 0;
  for (const key of keys) {
    looked += 1;
    if (looked % SLICE_KEYS === 0) await nextTurn();
    look(key);
  }
}
