/** Where the rows of a sealed month are, for a list of movements of exactly that month. */
import { dayStart } from '../../../core/calendar.ts';
import type { MovementsQuery } from '../../../stats/ports.ts';
import { monthText } from '../../sql/ledger/ledger-months.ts';
import { monthOfTime } from '../../sql/reports/month-of-time.ts';
import { LEDGER_ROWS, type MovementRows } from '../../sql/reports/read-charges.ts';
import { rowOf, type Steps } from '../../sql/reports/steps.ts';

/** The ledger, if the range is not a sealed month, or if an operator dropped its rows. */
export function* movementRows(time: Pick<MovementsQuery, 'fromMs' | 'toMs'>): Steps<MovementRows> {
  const day = monthOfTime(time);
  if (day === null) return LEDGER_ROWS;
  const month = monthText(dayStart(day));
  const settlements = `archived_settlements_${month.replace('-', '_')}`;
  const row = yield* rowOf<{ settlements: string | null; entries: string | null }>(
    `SELECT to_regclass(?)::text AS settlements, to_regclass('archived_entries')::text AS entries
     FROM seals WHERE month = ? LIMIT 1`,
    [settlements, month],
  );
  if (row === null || row.settlements === null || row.entries === null) return LEDGER_ROWS;
  return { source: 'ledger', isSealed: true, settlements, entries: 'archived_entries' };
}
