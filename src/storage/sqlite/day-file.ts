/** The records of one UTC day, in a database of their own: to drop the day is to remove the file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type CallId, callIdBytes } from '../../core/ids.ts';
import type { CallRecord } from '../../stats/ports.ts';
import { SETTLEMENT_COLUMNS } from '../sql/settlement-columns.ts';
import { Gate } from './gate.ts';
import { openDatabase } from './open-database.ts';
import {
  DETAIL_DEFAULTS,
  RECORD_COLUMNS,
  type RecordRow,
  readRecord,
  recordValues,
  SELECTED_COLUMNS,
} from './record-row.ts';

/** Version of the table; a file of another is left alone by this program. */
const VERSION = 1;

const NULLABLE = new Set(['price_version', 'cost_nano']);
const TEXT = new Set([
  'operation',
  'model',
  'provider',
  'dialect',
  'upstream_dialect',
  'upstream_id',
  'error_code',
  'finish_reason',
  'attempts',
  'warnings',
]);

/**
 * Rows are appended and found by an index. Kept in order of call id, as settlements are, they cost
 * five times as much to write: calls end in another order than they begin, and a page has room for
 * few such rows. Types matter: numbers come from JavaScript as doubles, and a column that is not
 * INTEGER would keep 8 bytes of each.
 */
const CREATE_TABLE = `CREATE TABLE records (${RECORD_COLUMNS.map(columnDefinition).join(', ')});
  CREATE UNIQUE INDEX records_by_call ON records (call_id);
  PRAGMA user_version = ${VERSION}`;

function columnDefinition(column: string): string {
  if (column === 'call_id') return 'call_id BLOB NOT NULL';
  const defaulted = DETAIL_DEFAULTS[column as keyof typeof DETAIL_DEFAULTS];
  const mayBeNull = NULLABLE.has(column) || defaulted === 'NULL';
  return `${column} ${TEXT.has(column) ? 'TEXT' : 'INTEGER'}${mayBeNull ? '' : ' NOT NULL'}`;
}

export class DayFile {
  readonly path: string;
  /** Shared with whoever checkpoints the file. */
  readonly gate = new Gate();
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #insert: StatementSync;
  readonly #newest: StatementSync;
  readonly #after: StatementSync;

  /** Opens the file, making it where there is none. Throws when it cannot, or was made by another version. */
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
    const places = RECORD_COLUMNS.map(() => '?').join(', ');
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#insert = database.prepare(
      `INSERT INTO records (${RECORD_COLUMNS.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`,
    );
    this.#newest = database.prepare(`SELECT ${SELECTED_COLUMNS} FROM records ORDER BY call_id DESC LIMIT ?`);
    this.#after = database.prepare(
      `SELECT ${SELECTED_COLUMNS} FROM records WHERE call_id > ? ORDER BY call_id LIMIT ?`,
    );
  }

  /** In one transaction; throws when it could not be written, and then nothing was. */
  insert(records: readonly CallRecord[]): void {
    this.#begin.run();
    try {
      for (const record of records) this.#insert.run(...recordValues(record));
      this.#commit.run();
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Newest first. */
  newest(limit: number): CallRecord[] {
    return (this.#newest.all(limit) as unknown as RecordRow[]).map(readRecord);
  }

  /** Oldest first. */
  after(callId: CallId, limit: number): CallRecord[] {
    return (this.#after.all(callIdBytes(callId), limit) as unknown as RecordRow[]).map(readRecord);
  }

  /**
   * Adds what `ledgerPath` has settled and this file has no record of, for call ids from `first`
   * up to but not including `end`. Returns how many that were.
   */
  fillFromSettlements(ledgerPath: string, first: CallId, end: CallId): number {
    this.#database.prepare('ATTACH DATABASE ? AS ledger').run(ledgerPath);
    try {
      const { changes } = this.#database.prepare(FILL).run(callIdBytes(first), callIdBytes(end));
      return Number(changes);
    } finally {
      this.#database.exec('DETACH DATABASE ledger');
    }
  }

  close(): void {
    this.#database.close();
  }
}

function prepareTable(database: DatabaseSync, path: string): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === 0) database.exec(`BEGIN IMMEDIATE; ${CREATE_TABLE}; COMMIT`);
  else if (version !== VERSION) throw new Error(`the records in ${path} were written by another version of Turnpike`);
}

const NAMED = new Set<string>(['operation', 'model', 'provider']);

/** Names are joined in: the ledger keeps them by number. */
const FILL = `INSERT OR IGNORE INTO main.records (${RECORD_COLUMNS.join(', ')})
  SELECT ${SETTLEMENT_COLUMNS.map((column) => (NAMED.has(column) ? `${column}.name` : `settled.${column}`)).join(', ')},
    ${Object.values(DETAIL_DEFAULTS).join(', ')}
  FROM ledger.settlements AS settled
  JOIN ledger.names AS operation ON operation.id = settled.operation
  JOIN ledger.names AS model ON model.id = settled.model
  JOIN ledger.names AS provider ON provider.id = settled.provider
  WHERE settled.call_id >= ? AND settled.call_id < ?`;
