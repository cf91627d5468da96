/**
 * Writes settlements, synchronously and in one transaction, on whichever thread it is made. What
 * `write` returned from has reached the operating system. Statements are prepared once.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { callIdBytes } from '../../core/ids.ts';
import type { Settlement } from '../../core/settlement.ts';
import { endingCodes, usageSourceCodes } from '../sql/codes.ts';
import { SETTLEMENT_COLUMNS } from '../sql/settlement-columns.ts';
import type { CommitTarget } from './settlements.ts';

/** Half a page; written as hexadecimal it fills one. */
const PROBE_BYTES = 2_048;

export class SettlementWriter implements CommitTarget {
  readonly isSynchronous = true;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #insert: StatementSync;
  readonly #insertName: StatementSync;
  readonly #findName: StatementSync;
  readonly #probe: StatementSync;
  readonly #database: DatabaseSync;
  /** Names whose rows are durable. */
  readonly #names = new Map<string, number>();
  /** Names met in the transaction that runs; they count only once it is committed. */
  readonly #newNames = new Map<string, number>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    const places = SETTLEMENT_COLUMNS.map(() => '?').join(', ');
    this.#insert = database.prepare(
      `INSERT INTO settlements (${SETTLEMENT_COLUMNS.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`,
    );
    this.#insertName = database.prepare('INSERT INTO names (name) VALUES (?) ON CONFLICT DO NOTHING');
    this.#probe = database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('disk_probe', hex(?))");
    this.#findName = database.prepare('SELECT id FROM names WHERE name = ?');
  }

  /** Throws when the rows could not be written; then none of them was. */
  write(rows: readonly Settlement[]): void {
    this.#begin.run();
    try {
      for (const row of rows) this.#insertRow(row);
      this.#commit.run();
    } catch (error) {
      this.#newNames.clear();
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    if (this.#newNames.size === 0) return;
    for (const [name, id] of this.#newNames) this.#names.set(name, id);
    this.#newNames.clear();
  }

  /** Writes a page of no meaning; throws when the disk does not take it. */
  probe(): void {
    this.#probe.run(Buffer.alloc(PROBE_BYTES));
  }

  #insertRow(row: Settlement): void {
    const { usage } = row;
    this.#insert.run(
      callIdBytes(row.callId),
      row.admittedAt,
      row.accountId,
      row.projectId,
      row.keyId,
      this.#nameId(row.operation),
      this.#nameId(row.model),
      this.#nameId(row.provider),
      usage.inputTokens,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      usage.cacheWrite1hTokens,
      usage.inputAudioTokens,
      usage.outputTokens,
      usage.outputAudioTokens,
      usage.reasoningTokens,
      usage.webSearches,
      usageSourceCodes[row.usageSource],
      row.priceVersion,
      row.cost,
      row.charge,
      endingCodes[row.ending],
    );
  }

  #nameId(name: string): number {
    return this.#names.get(name) ?? this.#newNames.get(name) ?? this.#addName(name);
  }

  #addName(name: string): number {
    this.#insertName.run(name);
    const { id } = this.#findName.get(name) as { id: number };
    this.#newNames.set(name, id);
    return id;
  }
}
