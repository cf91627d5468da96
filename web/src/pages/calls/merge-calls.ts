import type { Call } from '../../api/types.ts';

/**
 * Rows of the list and those that ended since, newest first, each once. What is older than the last row of the list has
 * its place on a page that was not read yet. Ids begin with their time, so they stand in its order.
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
