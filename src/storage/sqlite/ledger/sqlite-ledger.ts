/** The ledger of one node: group commits, and occasional reads and entries. */
import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { LedgerRow, LoadedLedger } from '../../../billing/ports.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Transactions } from '../../../core/transactions.ts';
import { SqlEntries } from '../../sql/entries.ts';
import { SqlLedger } from '../../sql/ledger/sql-ledger.ts';
import type { Schema } from '../../sql/schema.ts';
import type { GroupCommit } from './group-commit.ts';
import { loadLedger } from './load-ledger.ts';

export interface SqliteLedgerParts {
  readonly database: DatabaseSync;
  readonly kysely: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly commits: GroupCommit;
  readonly clock: Clock;
  readonly recovered: number;
}

export class SqliteLedger extends SqlLedger {
  readonly recovered: number;
  readonly #database: DatabaseSync;
  readonly #commits: GroupCommit;
  readonly #clock: Clock;

  constructor({ database, kysely, transactions, commits, clock, recovered }: SqliteLedgerParts) {
    super(kysely, new SqlEntries(kysely, transactions));
    this.recovered = recovered;
    this.#database = database;
    this.#commits = commits;
    this.#clock = clock;
  }

  commit(rows: readonly LedgerRow[]): Promise<void> {
    return this.#commits.commit(rows);
  }

  async load(): Promise<LoadedLedger> {
    return loadLedger(this.#database, this.#clock.now());
  }
}
