/**
 * Writes rows of the ledger, synchronously and in one transaction, on the thread that created it. When
 * `write` returns, the rows have reached the operating system. Statements are prepared once.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { LedgerRow, ReplayRow, StoredId } from '../../../billing/ports.ts';
import { type CallId, callIdBytes } from '../../../core/ids.ts';
import type { Settlement } from '../../../core/settlement.ts';
import {
  ADD_TO_BALANCE,
  addToRollup,
  BALANCE_COLUMNS,
  ROLLUP_COLUMNS,
  type RollupSum,
  writeDay,
  writeHour,
} from '../../sql/ledger/rollup-columns.ts';
import { SETTLEMENT_COLUMN_NAMES } from '../../sql/ledger/settlement-columns.ts';
import { placeOf, writeSettlement } from '../../sql/ledger/settlement-rows.ts';
import { eraseRefusedCommit } from '../engine/erase-refused-commit.ts';
import { NameTable } from '../engine/name-table.ts';
import { insertInto, RowStatement } from '../engine/row-statement.ts';
import { isConstraint, isInputOrOutput } from '../engine/sqlite-errors.ts';
import { BatchRows } from './batch-rows.ts';
import { BatchSums, type ChargeSum, writeCharge } from './batch-sums.ts';
import type { CommitTarget } from './group-commit.ts';
import { WrittenAlready } from './written-already.ts';

/** Half a page: as hexadecimal text it fills one. */
const PROBE_BYTES = 2_048;
/** The indexes of model and provider among a settlement's values. */
const MODEL = placeOf('model');
const PROVIDER = placeOf('provider');

export class LedgerWriter implements CommitTarget {
  readonly isSynchronous = true;
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #probe: StatementSync;
  readonly #names: NameTable;
  readonly #settlements: RowStatement<Settlement>;
  readonly #holds: RowStatement<Settlement>;
  readonly #checkpoint: StatementSync;
  readonly #endedHolds: RowStatement<CallId>;
  readonly #balances: RowStatement<ChargeSum>;
  readonly #hours: RowStatement<RollupSum>;
  readonly #days: RowStatement<RollupSum>;
  readonly #replay: StatementSync;
  readonly #storedIds: RowStatement<StoredId>;
  readonly #already: WrittenAlready;
  /** The sums of the batch that is being written. */
  #sums = new BatchSums();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#probe = database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('disk_probe', hex(?))");
    const names = new NameTable(database);
    this.#names = names;
    this.#already = new WrittenAlready(database, names);
    const width = SETTLEMENT_COLUMN_NAMES.length;
    this.#settlements = new RowStatement(database, {
      sql: insertInto('settlements', SETTLEMENT_COLUMN_NAMES),
      width,
      writeValues: (row, values, at) => this.#writeSettlement(row, values, at),
    });
    this.#holds = new RowStatement(database, {
      sql: insertInto('holds', SETTLEMENT_COLUMN_NAMES),
      width,
      writeValues: (row, values, at) => writeSettlement(row, names, values, at),
    });
    // An UPDATE, so that a late checkpoint does not recreate a hold that is already settled.
    const changes = SETTLEMENT_COLUMN_NAMES.map((column, index) => `${column} = ?${index + 1}`).slice(1);
    this.#checkpoint = database.prepare(`UPDATE holds SET ${changes.join(', ')} WHERE call_id = ?1`);
    this.#endedHolds = new RowStatement(database, {
      sql: (placeholders) => `DELETE FROM holds WHERE call_id IN (${placeholders})`,
      width: 1,
      writeValues: writeEndedHold,
    });
    this.#balances = new RowStatement(database, {
      sql: insertInto('balances', BALANCE_COLUMNS, ADD_TO_BALANCE),
      width: BALANCE_COLUMNS.length,
      writeValues: writeCharge,
    });
    this.#hours = new RowStatement(database, {
      sql: insertInto('rollups_hour', ROLLUP_COLUMNS, addToRollup('rollups_hour')),
      width: ROLLUP_COLUMNS.length,
      writeValues: writeHour,
    });
    this.#days = new RowStatement(database, {
      sql: insertInto('rollups_day', ROLLUP_COLUMNS, addToRollup('rollups_day')),
      width: ROLLUP_COLUMNS.length,
      writeValues: writeDay,
    });
    // An existing row has expired, otherwise the call would not have been admitted.
    this.#replay = database.prepare(
      `INSERT OR REPLACE INTO replays (project_id, key_digest, body_digest, call_id, created_at, expires_at, answer)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#storedIds = new RowStatement(database, {
      sql: (placeholders) =>
        `INSERT OR REPLACE INTO stored_ids (project_id, digest, provider, upstream_model, created_at, credential) VALUES ${placeholders}`,
      width: 6,
      writeValues: (row, values, at) => writeStoredId(row, names, values, at),
    });
  }

  /**
   * Throws if the rows could not be written, or if one is a second settlement of a call; then none of them is written.
   * Succeeds if all rows are already written exactly as they are: the thread that wrote them may have died before it answered.
   */
  write(rows: readonly LedgerRow[]): void {
    const batch = new BatchRows(rows);
    const sums = new BatchSums();
    this.#sums = sums;
    this.#begin.run();
    try {
      this.#settlements.run(batch.settlements);
      this.#holds.run(batch.holds);
      for (const row of batch.checkpoints) this.#writeCheckpoint(row);
      this.#endedHolds.run(batch.endedHolds);
      this.#balances.run(sums.charges);
      this.#hours.run(sums.rollups);
      this.#days.run(sums.rollups);
      for (const row of batch.replays) this.#writeReplay(row);
      this.#storedIds.run(batch.storedIds);
      this.#commit.run();
    } catch (error) {
      this.#names.ended(false);
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      if (isInputOrOutput(error)) throw eraseRefusedCommit(this.#database, error);
      if (isConstraint(error) && this.#areWritten(rows)) return;
      throw error;
    }
    this.#names.ended(true);
  }

  /** Writes a meaningless page; throws if the disk refuses it. */
  probe(): void {
    this.#probe.run(Buffer.alloc(PROBE_BYTES));
  }

  #areWritten(rows: readonly LedgerRow[]): boolean {
    this.#begin.run();
    try {
      return this.#already.all(rows);
    } finally {
      this.#names.ended(false);
      this.#database.exec('ROLLBACK');
    }
  }

  #writeSettlement(row: Settlement, values: SQLInputValue[], at: number): void {
    const names = this.#names;
    writeSettlement(row, names, values, at);
    this.#sums.add(row, values[at + MODEL] as number, values[at + PROVIDER] as number);
  }

  #writeCheckpoint(row: Settlement): void {
    const values: SQLInputValue[] = [];
    writeSettlement(row, this.#names, values, 0);
    this.#checkpoint.run(...values);
  }

  /** One by one: an answer may be large, and a `RowStatement` keeps its values in memory. */
  #writeReplay(row: ReplayRow): void {
    const { projectId, keyDigest, bodyDigest, callId, createdAt, expiresAt, answer } = row;
    this.#replay.run(projectId, keyDigest, bodyDigest, callIdBytes(callId), createdAt, expiresAt, answer);
  }
}

function writeStoredId(row: StoredId, names: NameTable, values: SQLInputValue[], at: number): void {
  values[at] = row.projectId;
  values[at + 1] = row.digest;
  values[at + 2] = names.idOf(row.provider);
  values[at + 3] = names.idOf(row.upstreamModel);
  values[at + 4] = row.createdAt;
  values[at + 5] = row.credential === null ? null : names.idOf(row.credential);
}

function writeEndedHold(callId: CallId, values: SQLInputValue[], at: number): void {
  values[at] = callIdBytes(callId);
}
