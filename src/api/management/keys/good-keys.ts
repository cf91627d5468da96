/** Counts keys, of which there may be a million, in slices, so that listing does not delay calls. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isGood, type Key } from '../../../accounts/keys.ts';

/** About 0.3 ms of work. */
const SLICE_KEYS = 5000;

/** Whether one of the keys is good and matches. */
export async function hasGoodKey(keys: Iterable<Key>, nowMs: number, matches: (key: Key) => boolean): Promise<boolean> {
  let visited = 0;
  for (const key of keys) {
    visited += 1;
    if (visited % SLICE_KEYS === 0) await nextTurn();
    if (matches(key) && isGood(key, nowMs)) return true;
  }
  return false;
}

/** The number of good keys by `groupOf`; groups without any are missing. */
export async function countGoodKeys<Group>(
  keys: Iterable<Key>,
  nowMs: number,
  groupOf: (key: Key) => Group,
): Promise<ReadonlyMap<Group, number>> {
  const counts = new Map<Group, number>();
  let visited = 0;
  for (const key of keys) {
    visited += 1;
    if (visited % SLICE_KEYS === 0) await nextTurn();
    if (!isGood(key, nowMs)) continue;
    const group = groupOf(key);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}
