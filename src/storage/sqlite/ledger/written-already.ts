/** Finds out whether rows are already in the ledger exactly as they are: they were committed, but the writer died before it answered. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { LedgerRow, ReplayRow } from '../../../billing/ports.ts';
import { callIdBytes } from '../../../core/ids.ts';
import type { Settlement } from '../../../core/settlement.ts';
import { SETTLEMENT_COLUMN_NAMES } from '../../sql/ledger/settlement-columns.ts';
import { writeSettlement } from '../../sql/ledger/settlement-rows.ts';
import type { NameTable } from '../engine/name-table.ts';
import { BatchRows } from './batch-rows.ts';

export class WrittenAlready {
  readonly #names: NameTable;
  readonly #settlement: StatementSync;
  readonly #hold: StatementSync;
  readonly #replay: StatementSync;

  constructor(database: DatabaseSync, names: NameTable) {
    const same = SETTLEMENT_COLUMN_NAMES.map((column, index) => `${column} IS ?${index + 1}`).join(' AND ');
    this.#names = names;
    this.#settlement = database.prepare(`SELECT 1 FROM settlements WHERE ${same}`);
    this.#hold = database.prepare(`SELECT 1 FROM holds WHERE ${same}`);
    this.#replay = database.prepare(
      'SELECT 1 FROM replays WHERE project_id = ? AND key_digest = ? AND body_digest = ? AND call_id = ?',
    );
  }

  /** Call it within a transaction that is then rolled back. Deleted holds need no check: they were deleted together with the settlement. */
  all(rows: readonly LedgerRow[]): boolean {
    const { settlements, holds, replays } = new BatchRows(rows);
    return (
      settlements.every((row) => this.#has(this.#settlement, row)) &&
      holds.every((row) => this.#has(this.#hold, row)) &&
      replays.every((row) => this.#keeps(row))
    );
  }

  #keeps({ projectId, keyDigest, bodyDigest, callId }: ReplayRow): boolean {
    return this.#replay.get(projectId, keyDigest, bodyDigest, callIdBytes(callId)) !== undefined;
  }

  #has(statement: StatementSync, row: Settlement): boolean {
    const values: SQLInputValue[] = [];
    writeSettlement(row, this.#names, values, 0);
    return statement.get(...values) !== undefined;
  }
}
