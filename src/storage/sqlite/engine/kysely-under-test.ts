/** The database of a new installation with nothing around it, for tests of the stores that are written in SQL once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { ManualClock } from '../../../core/clock.ts';
import { SqlAccountStore } from '../../sql/accounts.ts';
import { SqlAuditStore } from '../../sql/audit.ts';
import { SqlMembershipStore } from '../../sql/memberships.ts';
import { migrate } from '../../sql/migrations/migrate.ts';
import type { Schema } from '../../sql/schema.ts';
import { SqlUserStore } from '../../sql/users.ts';
import { sqliteFlavour } from './flavour.ts';
import { Gate } from './gate.ts';
import { NodeSqliteDialect } from './kysely-dialect.ts';
import { openDatabase } from './open-database.ts';

export interface KyselyUnderTest {
  readonly kysely: Kysely<Schema>;
  /** The same connection, past the stores. */
  readonly database: DatabaseSync;
  readonly clock: ManualClock;
  /** Closes it and removes its data. */
  dispose(): Promise<void>;
}

export interface StoresUnderTest extends KyselyUnderTest {
  readonly accounts: SqlAccountStore;
  readonly users: SqlUserStore;
  readonly memberships: SqlMembershipStore;
  readonly audit: SqlAuditStore;
}

/** What members and their accounts stand on; gone after the test. */
export async function openStoresUnderTest(test: { after(run: () => Promise<void>): void }): Promise<StoresUnderTest> {
  const under = await openKyselyUnderTest();
  test.after(() => under.dispose());
  const { kysely } = under;
  return {
    ...under,
    accounts: new SqlAccountStore(kysely),
    users: new SqlUserStore(kysely),
    memberships: new SqlMembershipStore(kysely),
    audit: new SqlAuditStore(kysely),
  };
}

export async function openKyselyUnderTest(): Promise<KyselyUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-sql-'));
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const database = openDatabase(join(folder, 'turnpike.db'), 'NORMAL');
  const kysely = new Kysely<Schema>({ dialect: new NodeSqliteDialect({ database, gate: new Gate(), clock }) });
  await migrate(kysely, sqliteFlavour);
  return {
    kysely,
    database,
    clock,
    async dispose() {
      await kysely.destroy();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
