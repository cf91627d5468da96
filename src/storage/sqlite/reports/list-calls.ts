/** Calls that have a record, newest first, from day files: only hours are gone through in which the account has such calls. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { dayOf, dayStart, dayText, hourOf } from '../../../core/calendar.ts';
import { isLabelled } from '../../../core/call-labels.ts';
import { callIdBytes, callIdTime, firstCallIdAt } from '../../../core/ids.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { CallRecord, CallSummary, CallsPage, CallsQuery } from '../../../stats/ports.ts';
import { endingCodes } from '../../sql/codes.ts';
import { NameTable } from '../engine/name-table.ts';
import { type RecordRow, readRecord, SELECTED_COLUMNS } from '../records/record-row.ts';
import { activeHours } from './active-hours.ts';
import { openForReading, type ReadDeadline } from './open-for-reading.ts';
import { VERSIONS_READ } from './read-call.ts';
import { numberOfName } from './read-usage.ts';
import { endBefore, TimeSlices } from './time-slices.ts';

export interface CallListParts {
  readonly ledger: DatabaseSync;
  readonly recordsFolder: string;
  readonly deadline: ReadDeadline;
  /** How long may be looked, ms. */
  readonly searchMs: number;
}

/** Ends with what it has found when its time is over; it looks at something, however short that is. */
export function listCalls(parts: CallListParts, query: CallsQuery): CallsPage {
  const { ledger, recordsFolder, deadline, searchMs } = parts;
  const days = daysOf(recordsFolder);
  const span = spanOf(query, days);
  const rollups = rollupCondition(ledger, query);
  const found: CallSummary[] = [];
  if (span === null || rollups === null) return { calls: found, next: null, searchedToMs: null };
  const isOver = deadline.box(searchMs);
  const slices = new TimeSlices(() => deadline.now());
  const files = new OpenDay(recordsFolder, deadline, query);
  try {
    const hours = { first: hourOf(span.fromMs), last: hourOf(span.toMs - 1) };
    for (const hour of activeHours(ledger, { ...rollups, ...hours })) {
      if (!files.open(dayOf(hour * HOUR_MS), days)) continue;
      const fromMs = Math.max(span.fromMs, hour * HOUR_MS);
      const toMs = Math.min(span.toMs, (hour + 1) * HOUR_MS);
      for (const slice of slices.back(fromMs, toMs)) {
        const before = query.before !== null && callIdTime(query.before) < slice.toMs ? query.before : null;
        files.read(callIdBytes(firstCallIdAt(slice.fromMs)), callIdBytes(before ?? firstCallIdAt(slice.toMs)), found);
        if (found.length > query.limit) {
          const calls = found.slice(0, query.limit);
          return { calls, next: calls.at(-1)?.callId ?? null, searchedToMs: null };
        }
        if (isOver() && slice.fromMs > span.fromMs)
          return { calls: found, next: firstCallIdAt(slice.fromMs), searchedToMs: slice.fromMs };
      }
    }
    return { calls: found, next: null, searchedToMs: null };
  } finally {
    files.close();
  }
}

const HOUR_MS = 3_600_000;
const FILE_NAME = /^\d{4}-\d{2}-\d{2}\.db$/;

/** UTC days since 1970 that there are files of. */
export function daysOf(recordsFolder: string): ReadonlySet<number> {
  const names = readdirSync(recordsFolder).filter((name) => FILE_NAME.test(name));
  return new Set(names.map((name) => dayOf(Date.parse(name.slice(0, 10)))));
}

/** Ms; the end is not included. Null where there is nothing to look at. */
function spanOf(
  { fromMs, toMs, before }: CallsQuery,
  days: ReadonlySet<number>,
): { readonly fromMs: number; readonly toMs: number } | null {
  if (days.size === 0) return null;
  const first = dayStart(Math.min(...days));
  const end = dayStart(Math.max(...days) + 1);
  const span = {
    fromMs: Math.max(first, fromMs ?? first),
    toMs: Math.min(end, toMs ?? end, before === null ? end : endBefore(before)),
  };
  return span.fromMs < span.toMs ? span : null;
}

/** Of the sums that calls which are meant are in; null where a name is asked for that no call ever had. */
function rollupCondition(
  ledger: DatabaseSync,
  { accountId, projectId, keyId, model, provider, outcome }: CallsQuery,
): { readonly condition: string; readonly values: readonly SQLInputValue[] } | null {
  let condition = 'account_id = ?';
  const values: SQLInputValue[] = [accountId];
  for (const [column, wanted] of [
    ['project_id', projectId],
    ['key_id', keyId],
    ['model', model],
    ['provider', provider],
  ] as const) {
    if (wanted === null) continue;
    const value = typeof wanted === 'string' ? numberOfName(ledger, wanted) : wanted;
    if (value === null) return null;
    condition += ` AND ${column} = ?`;
    values.push(value);
  }
  if (outcome !== null) condition += outcome === 'ok' ? ' AND calls > failed' : ' AND failed > 0';
  return { condition, values };
}

/** The file of one day, open until another is. */
class OpenDay {
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

  /** Whether there is anything to read of a day. */
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

  /** Appends what is meant, until there is one more than is asked for. */
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

/** Null where a name is asked for that the file does not know. */
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

/** What crosses to the thread that asks is as little as a list shows. */
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
    promptTokens: promptTokens(record.usage),
    completionTokens: completionTokens(record.usage),
    hasWarnings: record.warnings.length > 0,
    labels: record.labels,
  };
}
