import type { Call } from '../../api/types.ts';

/**
 * Rows of the list and those that finished since, newest first, without duplicates. Anything older than the last row of
 * the list belongs on a page not loaded yet. Ids begin with their time, so sorting by id sorts by time.
 */
export function mergeCalls(live: readonly Call[], listed: readonly Call[], hasMore: boolean): readonly Call[] {
  if (live.length === 0) return listed;
  const known = new Set(listed.map((call) => call.id));
  const last = listed.at(-1);
  const added = new Map<string, Call>();
  for (const call of live) {
    const isBehind = hasMore && last !== undefined && call.id < last.id;
    if (!known.has(call.id) && !isBehind) added.set(call.id, call);
  }
  if (added.size === 0) return listed;
  return [...added.values(), ...listed].sort((one, other) => (one.id < other.id ? 1 : one.id > other.id ? -1 : 0));
}
