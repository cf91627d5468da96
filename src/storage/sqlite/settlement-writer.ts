/**
 * Writes settlements, synchronously and in one transaction, on whichever thread it is made. What
 * `write` returned from has reached the operating system. Statements are prepared once.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Settlement } from '../../core/settlement.ts';
import { endingCodes, usageSourceCodes } from '../sql/codes.ts';
import { SETTLEMENT_COLUMNS } from '../sql/settlement-columns.ts';
import { NameTable } from './name-table.ts';
import { callIdInPlace, RowInserter } from './row-inserter.ts';
import type { CommitTarget } from './settlements.ts';
import { sqlInteger } from './sql-integer.ts';

/** Half a page; written as hexadecimal it fills one. */
const PROBE_BYTES = 2_048;

export class SettlementWriter implements CommitTarget {
  readonly isSynchronous = true;
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #probe: StatementSync;
  readonly #names: NameTable;
  readonly #inserter: RowInserter<Settlement>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#probe = database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('disk_probe', hex(?))");
    const names = new NameTable(database);
    this.#names = names;
    this.#inserter = new RowInserter(database, {
      name: 'settlements',
      columns: SETTLEMENT_COLUMNS,
      writeValues: (row, values, at) => writeValues(row, names, values, at),
    });
  }

  /** Throws when the rows could not be written; then none of them was. */
  write(rows: readonly Settlement[]): void {
    this.#begin.run();
    try {
      this.#inserter.insert(rows);
      this.#commit.run();
    } catch (error) {
      this.#names.ended(false);
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    this.#names.ended(true);
  }

  /** Writes a page of no meaning; throws when the disk does not take it. */
  probe(): void {
    this.#probe.run(Buffer.alloc(PROBE_BYTES));
  }
}

/** In the order of `SETTLEMENT_COLUMNS`. */
function writeValues(row: Settlement, names: NameTable, values: SQLInputValue[], at: number): void {
  const { usage } = row;
  values[at] = callIdInPlace(row.callId, values[at]);
  values[at + 1] = row.admittedAt;
  values[at + 2] = row.accountId;
  values[at + 3] = row.projectId;
  values[at + 4] = row.keyId;
  values[at + 5] = names.idOf(row.operation);
  values[at + 6] = names.idOf(row.model);
  values[at + 7] = names.idOf(row.provider);
  values[at + 8] = usage.inputTokens;
  values[at + 9] = usage.cacheReadTokens;
  values[at + 10] = usage.cacheWriteTokens;
  values[at + 11] = usage.cacheWrite1hTokens;
  values[at + 12] = usage.inputAudioTokens;
  values[at + 13] = usage.outputTokens;
  values[at + 14] = usage.outputAudioTokens;
  values[at + 15] = usage.reasoningTokens;
  values[at + 16] = usage.webSearches;
  values[at + 17] = usageSourceCodes[row.usageSource];
  values[at + 18] = row.priceVersion;
  values[at + 19] = row.cost === null ? null : sqlInteger(row.cost);
  values[at + 20] = sqlInteger(row.charge);
  values[at + 21] = endingCodes[row.ending];
}
