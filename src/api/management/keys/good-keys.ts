/** Counts keys, which may be a million: a slice at a time, so that no call waits for whoever looks at a list. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isGood, type Key } from '../../../accounts/keys.ts';

/** Some 0.3 ms. */
const SLICE_KEYS = 5000;

/** Whether one of them is good, and is meant. */
export async function hasGoodKey(keys: Iterable<Key>, nowMs: number, isMeant: (key: Key) => boolean): Promise<boolean> {
  let looked = 0;
  for (const key of keys) {
    looked += 1;
    if (looked % SLICE_KEYS === 0) await nextTurn();
    if (isMeant(key) && isGood(key, nowMs)) return true;
  }
  return false;
}

/** How many keys are good, by what `groupOf` says of them; a group without any is not in it. */
export async function countGoodKeys<Group>(
  keys: Iterable<Key>,
  nowMs: number,
  groupOf: (key: Key) => Group,
): Promise<ReadonlyMap<Group, number>> {
  const counts = new Map<Group, number>();
  let looked = 0;
  for (const key of keys) {
    looked += 1;
    if (looked % SLICE_KEYS === 0) await nextTurn();
    if (!isGood(key, nowMs)) continue;
    const group = groupOf(key);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}
