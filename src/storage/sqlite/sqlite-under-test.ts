/** A SQLite storage in a folder of its own among the temporary files, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ManualClock } from '../../core/clock.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { StorageUnderTest } from '../contract.ts';
import type { Storage, StorageProblem } from '../storage.ts';
import { openSqlite, type SqliteOptions } from './open-sqlite.ts';
import { type NamedSettlementRow, readSettlement, selectSettlements } from './settlement-row.ts';

export class SqliteUnderTest implements StorageUnderTest {
  readonly folder: string;
  readonly clock: ManualClock;
  readonly problems: StorageProblem[];
  readonly storage: Storage;
  readonly #options: SqliteOptions;

  constructor(storage: Storage, options: SqliteOptions, clock: ManualClock, problems: StorageProblem[]) {
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
    const database = this.openBeside();
    const rows = database.prepare(`${selectSettlements('main')} ORDER BY call_id`).all();
    database.close();
    return (rows as unknown as NamedSettlementRow[]).map(readSettlement);
  }

  /** Another program's connection to the database. */
  openBeside(): DatabaseSync {
    return new DatabaseSync(this.databasePath, { timeout: 0 });
  }

  async reopen(): Promise<SqliteUnderTest> {
    await this.storage.close();
    return new SqliteUnderTest(await openSqlite(this.#options), this.#options, this.clock, this.problems);
  }

  async dispose(): Promise<void> {
    await this.storage.close();
    rmSync(this.folder, { recursive: true });
  }
}

export async function openSqliteUnderTest(changes: Partial<SqliteOptions> = {}): Promise<SqliteUnderTest> {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const problems: StorageProblem[] = [];
  const options: SqliteOptions = {
    folder: changes.folder ?? mkdtempSync(join(tmpdir(), 'turnpike-test-')),
    clock,
    durability: 'process',
    recordsBytesMax: 1_000_000_000,
    onProblem: (problem) => problems.push(problem),
    ...changes,
  };
  return new SqliteUnderTest(await openSqlite(options), options, clock, problems);
}
