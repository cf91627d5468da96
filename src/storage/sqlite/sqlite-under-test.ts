/** A SQLite storage in a separate temporary folder, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ManualClock } from '../../core/clock.ts';
import { Secret } from '../../core/secret.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { Rollup, StorageUnderTest } from '../contract/storage-under-test.ts';
import type { NamedSettlementRow } from '../sql/ledger/settlement-columns.ts';
import { readSettlement, selectSettlements } from '../sql/ledger/settlement-rows.ts';
import type { Storage, StorageOptions, StorageProblem } from '../storage.ts';
import { addMigratedDatabase } from './engine/migrated-database.ts';
import { openSqlite } from './open-sqlite.ts';

export class SqliteUnderTest implements StorageUnderTest {
  readonly folder: string;
  readonly clock: ManualClock;
  readonly problems: StorageProblem[];
  readonly storage: Storage;
  readonly #options: StorageOptions;
  #isClosed = false;

  constructor(storage: Storage, options: StorageOptions, clock: ManualClock, problems: StorageProblem[]) {
    this.storage = storage;
    this.folder = options.folder;
    this.clock = clock;
    this.problems = problems;
    this.#options = options;
  }

  get databasePath(): string {
    return join(this.folder, 'turnpike.db');
  }

  async settlements(): Promise<readonly Settlement[]> {
    return this.#read('settlements');
  }

  async holds(): Promise<readonly Settlement[]> {
    return this.#read('holds');
  }

  async rollups(span: 'hour' | 'day'): Promise<readonly Rollup[]> {
    const database = this.openConnection();
    const rows = database
      .prepare(
        `SELECT start, account_id AS accountId, project_id AS projectId, key_id AS keyId, model.name AS model,
           provider.name AS provider, calls, failed, prompt_tokens AS promptTokens, completion_tokens AS completionTokens,
           cached_tokens AS cachedTokens, reasoning_tokens AS reasoningTokens,
           CAST(cost_nano AS TEXT) AS cost, CAST(charge_nano AS TEXT) AS charge
         FROM rollups_${span} JOIN names AS model ON model.id = model JOIN names AS provider ON provider.id = provider`,
      )
      .all() as unknown as (Omit<Rollup, 'cost' | 'charge'> & { cost: string; charge: string })[];
    database.close();
    return rows.map((row) => ({ ...row, cost: BigInt(row.cost), charge: BigInt(row.charge) }));
  }

  /** Another program's connection to the database. */
  openConnection(): DatabaseSync {
    return new DatabaseSync(this.databasePath, { timeout: 0 });
  }

  #read(table: 'settlements' | 'holds'): Settlement[] {
    const database = this.openConnection();
    const rows = database.prepare(`${selectSettlements('main', table)} ORDER BY call_id`).all();
    database.close();
    return (rows as unknown as NamedSettlementRow[]).map(readSettlement);
  }

  async reopen(): Promise<SqliteUnderTest> {
    await this.#close();
    return new SqliteUnderTest(await openSqlite(this.#options), this.#options, this.clock, this.problems);
  }

  async dispose(): Promise<void> {
    await this.#close();
    rmSync(this.folder, { recursive: true });
  }

  /** Closes once: a test that fails after reopening disposes of the first storage again. */
  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.storage.close();
  }
}

export async function openSqliteUnderTest(changes: Partial<StorageOptions> = {}): Promise<SqliteUnderTest> {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const problems: StorageProblem[] = [];
  const options: StorageOptions = {
    folder: changes.folder ?? mkdtempSync(join(tmpdir(), 'turnpike-test-')),
    clock,
    durability: 'process',
    database: null,
    recordsBytesMax: 1_000_000_000,
    // A busy machine starts the threads of reports slowly, which these tests are not about.
    reports: { deadlineMs: 60_000 },
    givenSecrets: {
      pepper: new Secret('0123456789abcdef'.repeat(4)),
      sealingKey: new Secret('fedcba9876543210'.repeat(4)),
    },
    maintenance: {
      billingMode: 'prepaid',
      longestCallMs: 3_600_000,
      version: '1.2.3',
      rulesModule: import.meta.resolve('../../billing/ledger-rules.ts'),
    },
    onProblem: (problem) => problems.push(problem),
    ...changes,
  };
  if (changes.folder === undefined) await addMigratedDatabase(options.folder);
  return new SqliteUnderTest(await openSqlite(options), options, clock, problems);
}
