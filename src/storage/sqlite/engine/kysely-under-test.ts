/** The bare database of a new installation, for tests of the SQL stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { AccountTopics } from '../../../accounts/ports.ts';
import type { AliasTopics } from '../../../catalog/ports.ts';
import { type Clock, ManualClock } from '../../../core/clock.ts';
import { SqlAccountStore } from '../../sql/accounts.ts';
import { SqlAliasStore } from '../../sql/aliases.ts';
import { SqlAuditStore } from '../../sql/audit.ts';
import { SqlFeed } from '../../sql/feed.ts';
import { SqlMembershipStore } from '../../sql/memberships.ts';
import type { Schema } from '../../sql/schema.ts';
import { UnreadableRows } from '../../sql/unreadable-rows.ts';
import { SqlUserStore } from '../../sql/users.ts';
import { Gate } from './gate.ts';
import { NodeSqliteDialect } from './kysely-dialect.ts';
import { addMigratedDatabase, migratedDatabase } from './migrated-database.ts';
import { openDatabase } from './open-database.ts';
import { SqliteTransactions } from './transactions.ts';

export interface KyselyUnderTest {
  readonly kysely: Kysely<Schema>;
  /** The same connection, bypassing the stores. */
  readonly database: DatabaseSync;
  readonly clock: ManualClock;
  readonly transactions: SqliteTransactions;
  readonly feed: SqlFeed<AccountTopics>;
  /** Closes it and removes its data. */
  dispose(): Promise<void>;
}

export interface StoresUnderTest extends KyselyUnderTest {
  readonly accounts: SqlAccountStore;
  readonly users: SqlUserStore;
  readonly memberships: SqlMembershipStore;
  readonly audit: SqlAuditStore;
}

/** The stores of members and accounts; disposed after the test. */
export async function openStoresUnderTest(test: { after(run: () => Promise<void>): void }): Promise<StoresUnderTest> {
  const under = await openKyselyUnderTest();
  test.after(() => under.dispose());
  const { kysely } = under;
  return {
    ...under,
    accounts: accountsOf(under),
    users: new SqlUserStore(kysely),
    memberships: new SqlMembershipStore(kysely),
    audit: new SqlAuditStore(kysely),
  };
}

export interface AccountsUnderTest {
  readonly store: SqlAccountStore;
  readonly transactions: SqliteTransactions;
  readonly feed: SqlFeed<AccountTopics>;
  readonly database: DatabaseSync;
  /** While true, every change of accounts, projects and keys fails with `the disk is gone`. */
  setFailing(isFailing: boolean): void;
}

/** Accounts in a database in memory, which need not be closed. */
export async function openAccountsInMemory(clock: Clock = new ManualClock()): Promise<AccountsUnderTest> {
  return openAccountsOn(await openInMemory(), clock);
}

/** On a database with the schema. */
export function openAccountsOn(database: DatabaseSync, clock: Clock): AccountsUnderTest {
  const { kysely, transactions, feed } = openOn(database, clock);
  return {
    store: new SqlAccountStore({ database: kysely, transactions, feed, unreadable: new UnreadableRows(clock) }),
    transactions,
    feed,
    database,
    setFailing: (isFailing) =>
      database.exec(
        isFailing
          ? "CREATE TRIGGER failing BEFORE UPDATE ON feed BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END"
          : 'DROP TRIGGER failing',
      ),
  };
}

/** Aliases in a database in memory, which need not be closed. */
export async function openAliasesUnderTest() {
  const { kysely, transactions, clock } = openOn(await openInMemory(), new ManualClock());
  const feed = new SqlFeed<AliasTopics>({ database: kysely, transactions, clock });
  return {
    store: new SqlAliasStore({ database: kysely, transactions, feed, unreadable: new UnreadableRows(clock) }),
    transactions,
    feed,
    clock,
  };
}

async function openInMemory(): Promise<DatabaseSync> {
  const database = new DatabaseSync(':memory:');
  database.deserialize(await migratedDatabase());
  return database;
}

/** On a database with the schema. */
function openOn(database: DatabaseSync, clock: Clock) {
  const parts = { database, gate: new Gate(), clock };
  const transactions = new SqliteTransactions(parts);
  const kysely = new Kysely<Schema>({ dialect: new NodeSqliteDialect({ ...parts, transactions }) });
  const feed = new SqlFeed<AccountTopics>({ database: kysely, transactions, clock });
  return { kysely, transactions, feed, clock };
}

export function accountsOf({ kysely, transactions, feed }: KyselyUnderTest): SqlAccountStore {
  const unreadable = new UnreadableRows(new ManualClock());
  return new SqlAccountStore({ database: kysely, transactions, feed, unreadable });
}

export async function openKyselyUnderTest(): Promise<KyselyUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-sql-'));
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  await addMigratedDatabase(folder);
  const database = openDatabase(join(folder, 'turnpike.db'), 'NORMAL');
  const { kysely, transactions, feed } = openOn(database, clock);
  return {
    kysely,
    transactions,
    feed,
    database,
    clock,
    async dispose() {
      await kysely.destroy();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
