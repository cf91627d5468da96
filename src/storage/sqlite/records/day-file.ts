/** The records of one UTC day, in a separate database: a day is dropped by removing its file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type CallId, callIdBytes } from '../../../core/ids.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import type { NamedSettlementRow } from '../../sql/ledger/settlement-columns.ts';
import { readSettlement, selectSettlements } from '../../sql/ledger/settlement-rows.ts';
import { withoutDetail } from '../../sql/records/bare-record.ts';
import { PackedWriter } from '../../sql/records/packed-bytes.ts';
import {
  RECORD_COLUMN_TYPES,
  RECORD_COLUMNS,
  type RecordColumnType,
  type RecordRow,
  readRecord,
  SELECTED_COLUMNS,
  writeRecord,
} from '../../sql/records/record-row.ts';
import { Gate } from '../engine/gate.ts';
import { NameTable } from '../engine/name-table.ts';
import { openDatabase } from '../engine/open-database.ts';
import { insertInto, RowStatement } from '../engine/row-statement.ts';
import { DAY_VERSION, DAY_VERSIONS } from './day-version.ts';
import { CREATE_FIRST_BYTES, FirstByteSums } from './first-byte-sums.ts';

/** Version of the table; this program does not touch files of later versions. */
const VERSION = DAY_VERSION;
/**
 * Rows of versions 1 to 3 have fewer values at their end; 1 and 2 have no histogram of first bytes; 1 to 4 no uses of some tools; 1 to 5 no tokens of some media; 1 to 6 no rates, and nothing that was saved; 1 to 7 no starts of attempts; 1 to 8 no model that was asked for by another name; 1 to 9 no loss of nodes; 1 to 10 no units; 1 to 11 no images that were read. They are read as they are, and rows of this version are appended: a histogram then counts only those.
 */
const VERSIONS_BEFORE: readonly number[] = DAY_VERSIONS.slice(0, -1);

/** Types matter: numbers from JavaScript are doubles, and a column that is not INTEGER would store 8 bytes for each. */
const TYPES: Readonly<Record<RecordColumnType, string>> = {
  bytes: 'BLOB NOT NULL',
  integer: 'INTEGER NOT NULL',
  'integer?': 'INTEGER',
  'text?': 'TEXT',
};
const COLUMN_DEFINITIONS = RECORD_COLUMNS.map(
  (column) => `${column} ${TYPES[RECORD_COLUMN_TYPES[column] as RecordColumnType]}`,
).join(', ');

/**
 * Rows are appended and found by an index. Stored in the order of call ids, as settlements are, they would cost
 * five times as much to write: calls end in a different order than they begin, and a page has space for
 * few such rows.
 */
const CREATE_TABLES = `CREATE TABLE records (${COLUMN_DEFINITIONS});
  CREATE UNIQUE INDEX records_by_call ON records (call_id);
  CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  ${CREATE_FIRST_BYTES};
  PRAGMA user_version = ${VERSION}`;

export class DayFile {
  readonly path: string;
  /** Shared with the checkpointer. */
  readonly gate = new Gate();
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #names: NameTable;
  readonly #records: RowStatement<CallRecord>;
  readonly #firstBytes: FirstByteSums;
  readonly #newest: StatementSync;
  readonly #after: StatementSync;

  /** Opens the file, creating it if it does not exist. Throws if that fails, or if the file is of a later version. */
  constructor(path: string) {
    this.path = path;
    const database = openDatabase(path, 'NORMAL');
    try {
      prepareTable(database, path);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    const parts = { names: new NameTable(database), packed: new PackedWriter() };
    this.#names = parts.names;
    this.#records = new RowStatement(database, {
      // A record that was already rebuilt from its settlement is kept.
      sql: insertInto('records', RECORD_COLUMNS, 'ON CONFLICT DO NOTHING'),
      width: RECORD_COLUMNS.length,
      writeValues: (record, values, at) => writeRecord(record, parts, values, at),
    });
    this.#firstBytes = new FirstByteSums(database, parts.names);
    this.#newest = database.prepare(`SELECT ${SELECTED_COLUMNS} FROM records ORDER BY call_id DESC LIMIT ?`);
    this.#after = database.prepare(
      `SELECT ${SELECTED_COLUMNS} FROM records WHERE call_id > ? ORDER BY call_id LIMIT ?`,
    );
  }

  /** In one transaction; throws if it could not be written, and then nothing is. */
  insert(records: readonly CallRecord[]): void {
    this.#begin.run();
    try {
      this.#records.run(records);
      this.#firstBytes.add(records);
      this.#commit.run();
    } catch (error) {
      this.#names.ended(false);
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    this.#names.ended(true);
  }

  /** Newest first. */
  newest(limit: number): CallRecord[] {
    return this.#read(this.#newest.all(limit));
  }

  /** Oldest first. */
  after(callId: CallId, limit: number): CallRecord[] {
    return this.#read(this.#after.all(callIdBytes(callId), limit));
  }

  /**
   * Adds records for calls that are settled in `ledgerPath` and have no record in this file, for call ids from `first`
   * up to but not including `end`. Returns how many it added.
   */
  fillFromSettlements(ledgerPath: string, first: CallId, end: CallId): number {
    const endBytes = callIdBytes(end);
    let filled = 0;
    for (let from = callIdBytes(first); ; ) {
      const rows = this.#missing(ledgerPath, from, endBytes);
      if (rows.length > 0) this.insert(rows.map((row) => withoutDetail(readSettlement(row))));
      filled += rows.length;
      if (rows.length < FILL_ROWS) return filled;
      from = Buffer.from(rows.at(-1)?.call_id ?? endBytes);
    }
  }

  /** Detaches the ledger before anything is written: a transaction would span both databases, and the ledger has its own writer. */
  #missing(ledgerPath: string, from: Uint8Array, end: Uint8Array): NamedSettlementRow[] {
    this.#database.prepare('ATTACH DATABASE ? AS ledger').run(ledgerPath);
    try {
      return this.#database.prepare(MISSING).all(from, end, FILL_ROWS) as unknown as NamedSettlementRow[];
    } finally {
      this.#database.exec('DETACH DATABASE ledger');
    }
  }

  close(): void {
    this.#database.close();
  }

  #read(rows: unknown): CallRecord[] {
    return (rows as RecordRow[]).map((row) => readRecord(row, this.#names));
  }
}

function prepareTable(database: DatabaseSync, path: string): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === 0) database.exec(`BEGIN IMMEDIATE; ${CREATE_TABLES}; COMMIT`);
  else if (VERSIONS_BEFORE.includes(version))
    database.exec(`BEGIN IMMEDIATE; ${CREATE_FIRST_BYTES}; PRAGMA user_version = ${VERSION}; COMMIT`);
  else if (version !== VERSION) throw new Error(`the records in ${path} were written by another version of Turnpike`);
}

/** Rows filled at a time, so that a long gap is not in memory at once. */
const FILL_ROWS = 256;

/** A filled row is no longer missing, so continuing at the last call id finds the following rows. */
const MISSING = `${selectSettlements('ledger')}
  WHERE settled.call_id >= ? AND settled.call_id < ?
    AND NOT EXISTS (SELECT 1 FROM main.records WHERE records.call_id = settled.call_id)
  ORDER BY settled.call_id LIMIT ?`;
