/** Keeps the file of one day of records open until another day is opened. */
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { dayText } from '../../../core/calendar.ts';
import { isLabelled } from '../../../core/call-labels.ts';
import type { CallRecord, CallSummary, CallsQuery } from '../../../stats/ports.ts';
import { endingCodes } from '../../sql/codes.ts';
import { NameTable } from '../engine/name-table.ts';
import { type RecordRow, readRecord, SELECTED_COLUMNS } from '../records/record-row.ts';
import { openForReading, type ReadDeadline } from './open-for-reading.ts';
import { VERSIONS_READ } from './read-call.ts';

export class OpenDay {
  readonly #folder: string;
  readonly #deadline: ReadDeadline;
  readonly #query: CallsQuery;
  #day = -1;
  #file: { readonly database: DatabaseSync; readonly names: NameTable; readonly select: StatementSync } | null = null;
  #values: readonly SQLInputValue[] = [];

  constructor(folder: string, deadline: ReadDeadline, query: CallsQuery) {
    this.#folder = folder;
    this.#deadline = deadline;
    this.#query = query;
  }

  /** Returns whether the day has anything to read. */
  open(day: number, days: ReadonlySet<number>): boolean {
    if (day === this.#day) return this.#file !== null;
    this.close();
    this.#day = day;
    const database = days.has(day) ? openForReading(join(this.#folder, `${dayText(day)}.db`), this.#deadline) : null;
    if (database === null) return false;
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    const condition = VERSIONS_READ.includes(version) && version > 0 ? recordCondition(database, this.#query) : null;
    if (condition === null) {
      database.close();
      return false;
    }
    const select = database.prepare(
      `SELECT ${SELECTED_COLUMNS} FROM records WHERE call_id >= ? AND call_id < ? AND ${condition.sql} ORDER BY call_id DESC`,
    );
    this.#values = condition.values;
    this.#file = { database, names: new NameTable(database), select };
    return true;
  }

  /** Appends matching calls, until there is one more than the limit. */
  read(from: Uint8Array, end: Uint8Array, found: CallSummary[]): void {
    if (this.#file === null) return;
    const { streamed, labels, limit } = this.#query;
    const { names, select } = this.#file;
    for (const row of select.iterate(from, end, ...this.#values)) {
      const record = readRecord(row as unknown as RecordRow, names);
      const isStreamed = streamed === null || record.streamed === streamed;
      if (isStreamed && (labels === null || isLabelled(labels, record.labels))) found.push(summaryOf(record));
      if (found.length > limit) return;
    }
  }

  close(): void {
    this.#file?.database.close();
    this.#file = null;
  }
}

/** Null if the query names something that the file does not contain. */
function recordCondition(
  database: DatabaseSync,
  query: CallsQuery,
): { readonly sql: string; readonly values: readonly SQLInputValue[] } | null {
  const conditions: [string, SQLInputValue][] = [['account_id = ?', query.accountId]];
  for (const [column, name] of [
    ['model', query.model],
    ['provider', query.provider],
  ] as const) {
    if (name === null) continue;
    const number = numberOfName(database, name);
    if (number === null) return null;
    conditions.push([`${column} = ?`, number]);
  }
  if (query.projectId !== null) conditions.push(['project_id = ?', query.projectId]);
  if (query.keyId !== null) conditions.push(['key_id = ?', query.keyId]);
  if (query.status !== null) conditions.push(['status >= ?', query.status.from], ['status <= ?', query.status.to]);
  if (query.ending !== null) conditions.push(['ending = ?', endingCodes[query.ending]]);
  if (query.minCharge !== null) conditions.push(['charge_nano >= ?', query.minCharge]);
  if (query.minDurationMs !== null) conditions.push(['duration_us >= ?', query.minDurationMs * 1000]);
  let sql = conditions.map(([condition]) => condition).join(' AND ');
  if (query.outcome !== null)
    sql += ` AND ending ${query.outcome === 'ok' ? '' : 'NOT'} IN (${endingCodes.complete}, ${endingCodes.empty})`;
  return { sql, values: conditions.map(([, value]) => value) };
}

/** Only what a list shows is sent to the main thread. */
function summaryOf(record: CallRecord): CallSummary {
  return {
    callId: record.callId,
    admittedAt: record.admittedAt,
    accountId: record.accountId,
    projectId: record.projectId,
    keyId: record.keyId,
    model: record.model,
    provider: record.provider,
    streamed: record.streamed,
    status: record.status,
    ending: record.ending,
    errorCode: record.errorCode,
    charge: record.charge,
    firstByteMs: record.firstByteMs,
    durationMs: record.durationMs,
    usage: record.usage,
    usageSource: record.usageSource,
    warnings: record.warnings,
    labels: record.labels,
  };
}

/** The number of a name in a file, or null. */
function numberOfName(database: DatabaseSync, name: string): number | null {
  const row = database.prepare('SELECT id FROM names WHERE name = ?').get(name) as { id: number } | undefined;
  return row?.id ?? null;
}
