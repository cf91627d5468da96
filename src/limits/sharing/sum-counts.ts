/** What the other nodes have counted, from what each of them sent last. */
import type { Counts, StoredCounts } from '../ports.ts';

/** A node that runs sends its running calls again before that; those of one that died no longer count. */
export const RUNNING_MS = 5_000;

/** `nowMs` by the clock that has set `sentAt`. What was sent in an earlier minute or on an earlier day counts there. */
export function sumCounts(
  stored: readonly StoredCounts[],
  now: { readonly minute: number; readonly day: number; readonly nowMs: number },
): Counts {
  const sum = { requests: 0, requestsBefore: 0, tokens: 0, tokensBefore: 0, today: 0, running: 0 };
  for (const each of stored) {
    if (each.day === now.day) sum.today += each.today;
    if (now.nowMs - each.sentAt < RUNNING_MS) sum.running += each.running;
    const minutesAgo = now.minute - each.minute;
    if (minutesAgo === 0) {
      sum.requests += each.requests;
      sum.requestsBefore += each.requestsBefore;
      sum.tokens += each.tokens;
      sum.tokensBefore += each.tokensBefore;
    } else if (minutesAgo === 1) {
      sum.requestsBefore += each.requests;
      sum.tokensBefore += each.tokens;
    } else if (minutesAgo === -1) {
      // It was a moment ahead.
      sum.requests += each.requestsBefore;
      sum.tokens += each.tokensBefore;
    }
  }
  return sum;
}
