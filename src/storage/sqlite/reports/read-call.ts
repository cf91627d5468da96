/**
 * Reads one call from the file of its day, or, without a record, from its settlement. Files are opened for
 * each question and closed after it: an open file would keep its disk space when its day is removed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { dayOf, dayText } from '../../../core/calendar.ts';
import { type CallId, callIdBytes, callIdTime } from '../../../core/ids.ts';
import type { CallOwner, CallRecord } from '../../../stats/ports.ts';
import type { NamedSettlementRow } from '../../sql/ledger/settlement-columns.ts';
import { readSettlement, selectSettlements } from '../../sql/ledger/settlement-rows.ts';
import { withoutDetail } from '../../sql/records/bare-record.ts';
import { type RecordRow, readRecord, SELECTED_COLUMNS } from '../../sql/records/record-row.ts';
import type { ReadDeadline } from '../../threads/read-deadline.ts';
import { NameTable } from '../engine/name-table.ts';
import { DAY_VERSIONS } from '../records/day-version.ts';
import { openForReading } from './open-for-reading.ts';

/** Versions of day files that `record-row.ts` reads. 0 is a file that is being created. */
export const VERSIONS_READ: readonly number[] = DAY_VERSIONS;
const FILE_NAME = /^\d{4}-\d{2}-\d{2}\.db$/;
/** Provider ids have no index, so this many days are scanned. */
const DAYS_SEARCHED = 31;

export function readCall(
  ledger: DatabaseSync,
  recordsFolder: string,
  id: CallId,
  deadline: ReadDeadline,
): CallRecord | null {
  const path = join(recordsFolder, `${dayText(dayOf(callIdTime(id)))}.db`);
  return readOne(path, 'call_id = ?', [callIdBytes(id)], deadline) ?? readBare(ledger, id);
}

/** Searches from the newest record to the oldest; throws `ReadTooLate` if the deadline passes before it is found. */
export function findByUpstreamId(
  recordsFolder: string,
  upstreamId: string,
  { accountId, projectId }: CallOwner,
  deadline: ReadDeadline,
): CallRecord | null {
  const values: SQLInputValue[] = [upstreamId, accountId];
  let condition = 'upstream_id = ? AND account_id = ?';
  if (projectId !== null) {
    values.push(projectId);
    condition += ' AND project_id = ?';
  }
  const names = readdirSync(recordsFolder).filter((name) => FILE_NAME.test(name));
  for (const name of names.sort().reverse().slice(0, DAYS_SEARCHED)) {
    deadline.check();
    const found = readOne(join(recordsFolder, name), condition, values, deadline);
    if (found !== null) return found;
  }
  return null;
}

/** The newest record of a file that matches a condition: row ids increase in the order of appending. */
function readOne(
  path: string,
  condition: string,
  values: readonly SQLInputValue[],
  deadline: ReadDeadline,
): CallRecord | null {
  const database = openForReading(path, deadline);
  if (database === null) return null;
  try {
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (!VERSIONS_READ.includes(version)) return null;
    const row = database
      .prepare(
        `SELECT ${SELECTED_COLUMNS} FROM records WHERE in_time(rowid) AND ${condition} ORDER BY rowid DESC LIMIT 1`,
      )
      .get(...values);
    return row === undefined ? null : readRecord(row as unknown as RecordRow, new NameTable(database));
  } finally {
    database.close();
  }
}

function readBare(ledger: DatabaseSync, id: CallId): CallRecord | null {
  const row = ledger.prepare(`${selectSettlements('main')} WHERE settled.call_id = ?`).get(callIdBytes(id));
  return row === undefined ? null : withoutDetail(readSettlement(row as unknown as NamedSettlementRow));
}
