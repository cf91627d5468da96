/** The records that a list of calls searches: the file of one day is open at a time. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { dayOf, dayStart, dayText } from '../../../core/calendar.ts';
import type { CallSummary, CallsQuery } from '../../../stats/ports.ts';
import { matchesPacked, type RecordCondition, recordCondition, summaryOf } from '../../sql/records/record-filter.ts';
import { type RecordRow, readRecord, SELECTED_COLUMNS } from '../../sql/records/record-row.ts';
import type { ListedRecords, TimeSpan } from '../../sql/reports/list-calls.ts';
import type { Steps } from '../../sql/reports/steps.ts';
import type { ReadDeadline } from '../../threads/read-deadline.ts';
import { NameTable } from '../engine/name-table.ts';
import { openForReading } from './open-for-reading.ts';
import { VERSIONS_READ } from './read-call.ts';

const FILE_NAME = /^\d{4}-\d{2}-\d{2}\.db$/;

/** The UTC days, since 1970, that have files. */
export function daysOf(recordsFolder: string): ReadonlySet<number> {
  const names = readdirSync(recordsFolder).filter((name) => FILE_NAME.test(name));
  return new Set(names.map((name) => dayOf(Date.parse(name.slice(0, 10)))));
}

export class SqliteCalls implements ListedRecords {
  readonly #folder: string;
  readonly #deadline: ReadDeadline;
  readonly #query: CallsQuery;
  readonly #days: ReadonlySet<number>;
  #day = -1;
  #file: { readonly database: DatabaseSync; readonly names: NameTable; readonly select: StatementSync } | null = null;
  #values: readonly SQLInputValue[] = [];

  constructor(folder: string, deadline: ReadDeadline, query: CallsQuery) {
    this.#folder = folder;
    this.#deadline = deadline;
    this.#query = query;
    this.#days = daysOf(folder);
  }

  // biome-ignore lint/correctness/useYield: the names of the files are read without a statement.
  *span(): Steps<TimeSpan | null> {
    if (this.#days.size === 0) return null;
    return { fromMs: dayStart(Math.min(...this.#days)), toMs: dayStart(Math.max(...this.#days) + 1) };
  }

  has(day: number): boolean {
    if (day === this.#day) return this.#file !== null;
    this.close();
    this.#day = day;
    const database = this.#days.has(day)
      ? openForReading(join(this.#folder, `${dayText(day)}.db`), this.#deadline)
      : null;
    if (database === null) return false;
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    const condition = VERSIONS_READ.includes(version) && version > 0 ? conditionIn(database, this.#query) : null;
    if (condition === null) {
      database.close();
      return false;
    }
    const select = database.prepare(
      `SELECT ${SELECTED_COLUMNS} FROM records WHERE call_id >= ? AND call_id < ? AND ${condition.sql} ORDER BY call_id DESC`,
    );
    this.#values = condition.values as readonly SQLInputValue[];
    this.#file = { database, names: new NameTable(database), select };
    return true;
  }

  read(from: Uint8Array, end: Uint8Array, found: CallSummary[]): null {
    if (this.#file === null) return null;
    const { names, select } = this.#file;
    for (const row of select.iterate(from, end, ...this.#values)) {
      const record = readRecord(row as unknown as RecordRow, names);
      if (matchesPacked(this.#query, record)) found.push(summaryOf(record));
      if (found.length > this.#query.limit) break;
    }
    return null;
  }

  close(): void {
    this.#file?.database.close();
    this.#file = null;
  }
}

/** Null if the query names something that the file does not contain. */
function conditionIn(database: DatabaseSync, query: CallsQuery): RecordCondition | null {
  const { model, provider } = query;
  const names = { model: numberOfName(database, model), provider: numberOfName(database, provider) };
  if ((model !== null && names.model === null) || (provider !== null && names.provider === null)) return null;
  return recordCondition(query, names);
}

/** The number of a name in a file, or null. */
function numberOfName(database: DatabaseSync, name: string | null): number | null {
  if (name === null) return null;
  const row = database.prepare('SELECT id FROM names WHERE name = ?').get(name) as { id: number } | undefined;
  return row?.id ?? null;
}
