/**
 * The sealed bodies of calls admitted on one UTC day, in a separate database: a day is dropped by removing the
 * file. Deleted bodies are overwritten, and their space is freed.
 */
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SealedCapture } from '../../../capture/ports.ts';
import { type AccountId, accountId, type CallId, callIdBytes, callIdFromBytes, callIdTime } from '../../../core/ids.ts';
import { Gate } from '../engine/gate.ts';
import { openDatabase } from '../engine/open-database.ts';

/** Version of the table; this program does not touch files of other versions. */
const VERSION = 1;
const CREATE = `CREATE TABLE captures (
    call_id BLOB PRIMARY KEY, account_id INTEGER NOT NULL, admitted_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    sealed BLOB NOT NULL
  );
  CREATE INDEX captures_of_account ON captures (account_id, expires_at);
  PRAGMA user_version = ${VERSION}`;

/** Rows deleted at a time, because overwriting many megabytes takes long. */
const DELETE_ROWS = 16;
/** The part of a sealed value that identifies its key: version and key id. */
const HEAD_BYTES = 9;

export class CaptureDay {
  readonly path: string;
  readonly gate = new Gate();
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #accounts: StatementSync;

  /** Opens the file, creating it if it does not exist. Throws if that fails, or if the file is of another version. */
  constructor(path: string) {
    this.path = path;
    createFile(path);
    const database = openDatabase(path, 'NORMAL');
    try {
      const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version !== VERSION) throw new Error(`the bodies in ${path} were kept by another version of Turnpike`);
      database.exec('PRAGMA secure_delete = ON');
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    this.#insert = database.prepare('INSERT OR REPLACE INTO captures VALUES (?, ?, ?, ?, ?)');
    this.#select = database.prepare('SELECT * FROM captures WHERE call_id = ? AND account_id = ?');
    this.#accounts = database.prepare('SELECT DISTINCT account_id FROM captures');
  }

  /** In one transaction; throws if it could not be written, and then nothing is. */
  insert(captures: readonly SealedCapture[]): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const { callId, accountId: account, expiresAt, sealed } of captures)
        this.#insert.run(callIdBytes(callId), account, callIdTime(callId), expiresAt, sealed);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  find(account: AccountId, callId: CallId): SealedCapture | null {
    const row = this.#select.get(callIdBytes(callId), account) as CaptureRow | undefined;
    return row === undefined
      ? null
      : {
          callId: callIdFromBytes(row.call_id),
          accountId: accountId(row.account_id),
          expiresAt: row.expires_at,
          sealed: row.sealed,
        };
  }

  /** The accounts that have bodies in this file. */
  accounts(): AccountId[] {
    return this.#accounts.all().map((row) => accountId((row as unknown as CaptureRow).account_id));
  }

  delete(account: AccountId, callId: CallId): boolean {
    const { changes } = this.#database
      .prepare('DELETE FROM captures WHERE call_id = ? AND account_id = ?')
      .run(callIdBytes(callId), account);
    this.#freeSpace();
    return changes > 0;
  }

  /** Deletes some of an account's bodies that have expired at `nowMs`. Returns how many. */
  deleteExpired(account: AccountId, nowMs: number): number {
    return this.#deleteSome('expires_at <= ?', account, nowMs);
  }

  /** Deletes some of an account's bodies of calls admitted at `admittedTo` or before. Returns how many. */
  deleteOld(account: AccountId, admittedTo: number): number {
    return this.#deleteSome('admitted_at <= ?', account, admittedTo);
  }

  get size(): number {
    return (this.#database.prepare('SELECT count(*) AS count FROM captures').get() as { count: number }).count;
  }

  heads(): Uint8Array[] {
    const rows = this.#database.prepare(`SELECT DISTINCT substr(sealed, 1, ${HEAD_BYTES}) AS sealed FROM captures`);
    return rows.all().map((row) => (row as unknown as CaptureRow).sealed);
  }

  close(): void {
    this.#database.close();
  }

  #deleteSome(condition: string, account: AccountId, ms: number): number {
    const { changes } = this.#database
      .prepare(
        `DELETE FROM captures WHERE call_id IN (
           SELECT call_id FROM captures WHERE account_id = ? AND ${condition} LIMIT ${DELETE_ROWS})`,
      )
      .run(account, ms);
    if (changes > 0) this.#freeSpace();
    return Number(changes);
  }

  /** https://www.sqlite.org/pragma.html#pragma_incremental_vacuum */
  #freeSpace(): void {
    this.#database.exec('PRAGMA incremental_vacuum');
  }
}

interface CaptureRow {
  readonly call_id: Uint8Array;
  readonly account_id: number;
  readonly expires_at: number;
  readonly sealed: Uint8Array;
}

/** `auto_vacuum` must be set before the first page of a file is written. */
function createFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  if (statSync(path).size > 0) return;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec(`PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE; ${CREATE}; COMMIT`);
  } finally {
    database.close();
  }
}
