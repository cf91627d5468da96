/**
 * The movements of an account's balance, newest first: charges from settlements, searched only in hours in which the
 * account was charged, merged with entries.
 */
import { type CallId, callIdTime, firstCallIdAt } from '../../../core/ids.ts';
import type { Movement, MovementsCursor, MovementsPage, MovementsQuery } from '../../../stats/ports.ts';
import { type Charges, type MovementParts, NO_CHARGES, readCharges } from './read-charges.ts';
import { readEntries } from './read-entries.ts';
import type { Steps } from './steps.ts';

/** Returns what it has found when its time is over; it always searches something, however short the time is. */
export function* listMovements(parts: MovementParts, query: MovementsQuery): Steps<MovementsPage> {
  const charges = query.kind === 'entries' ? NO_CHARGES : yield* readCharges(parts, query);
  const entries = query.kind === 'charges' ? [] : yield* readEntries(parts, query);
  const { searchedToMs } = charges;
  const movements = merge(charges, entries, query.limit);
  const isAll = movements.length === charges.found.length + entries.length;
  if (isAll && searchedToMs === null) return { movements, next: null, searchedToMs: null };
  if (searchedToMs === null || movements.length === query.limit)
    return { movements, next: cursorAfter(movements, query, null), searchedToMs: null };
  return { movements, next: cursorAfter(movements, query, firstCallIdAt(searchedToMs)), searchedToMs };
}

/**
 * Charges stay in the order of their ids, and entries in that of theirs: a cursor continues in both. They are merged by
 * time. Beyond the searched range there may be charges newer than an entry, which is then left for the next page.
 */
function merge({ found, searchedToMs }: Charges, entries: readonly Movement[], limit: number): Movement[] {
  const merged: Movement[] = [];
  for (let charge = 0, entry = 0; merged.length < limit; ) {
    const nextCharge = found[charge];
    const nextEntry = entries[entry];
    if (nextEntry !== undefined && (nextCharge === undefined || nextEntry.at > timeOf(nextCharge))) {
      if (nextCharge === undefined && searchedToMs !== null && nextEntry.at < searchedToMs) break;
      merged.push(nextEntry);
      entry += 1;
    } else if (nextCharge !== undefined) {
      merged.push(nextCharge);
      charge += 1;
    } else break;
  }
  return merged;
}

function timeOf({ callId }: Movement): number {
  return callIdTime(callId as CallId);
}

/** `searched` is how far the search for charges got if it did not finish. */
function cursorAfter(
  movements: readonly Movement[],
  { before }: MovementsQuery,
  searched: CallId | null,
): MovementsCursor {
  const charge = movements.findLast(({ entryId: entry }) => entry === null);
  const entry = movements.findLast(({ entryId: id }) => id !== null);
  return {
    call: searched ?? charge?.callId ?? before?.call ?? null,
    entry: entry?.entryId ?? before?.entry ?? null,
  };
}
