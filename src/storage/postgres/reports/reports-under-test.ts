/** For tests of reports on PostgreSQL: what is stored of calls, in a database of its own, with settlements of two nodes. */
import { createDatabase, type TestDatabase } from '../../../../test/support/postgres/database.ts';
import type { ServerName } from '../../../../test/support/postgres/servers.ts';
import type { LedgerRow, LedgerStore, NewEntry } from '../../../billing/ports.ts';
import { ManualClock } from '../../../core/clock.ts';
import { accountId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { StorageUnderTest } from '../../contract/storage-under-test.ts';
import { encodeBatch } from '../../journal/encode-batch.ts';
import type { Storage, StorageProblem } from '../../storage.ts';
import { PostgresBank } from '../bank/postgres-bank.ts';
import { openConnections, type PostgresConnections } from '../engine/connections.ts';
import { openStoredCalls, type StoredCalls, type StoredCallsParts } from '../stored-calls.ts';

export interface ReportsUnderTest extends StorageUnderTest {
  readonly calls: StoredCalls;
  readonly connections: PostgresConnections;
  readonly problems: readonly StorageProblem[];
  /** Of the database, with its password. */
  readonly url: string;
  reopen(): Promise<ReportsUnderTest>;
  /** Leaves it as a crash would: without the mark of a clean stop. */
  crash(): Promise<ReportsUnderTest>;
}

export async function openReportsUnderTest(
  server: ServerName,
  changes: Partial<StoredCallsParts> = {},
): Promise<ReportsUnderTest> {
  return openReportsOn(await createDatabase(server), changes);
}

export function openReportsOn(
  database: TestDatabase,
  changes: Partial<StoredCallsParts> = {},
): Promise<ReportsUnderTest> {
  return open(database, new ManualClock(Date.UTC(2026, 10, 21, 12)), changes);
}

async function open(
  database: TestDatabase,
  clock: ManualClock,
  changes: Partial<StoredCallsParts>,
): Promise<ReportsUnderTest> {
  const connections = await openConnections({ url: database.url, readUrl: changes.readUrl ?? null, connections: 4 });
  // Whose calls are settled.
  await connections.query(
    `insert into accounts (id, name, created_at, seq) overriding system value
     select id, 'account ' || id, 0, 1 from generate_series(1, 3) as id on conflict (id) do nothing`,
  );
  const problems: StorageProblem[] = [];
  const calls = await openStoredCalls({
    connections,
    url: database.url,
    readUrl: null,
    clock,
    node: { id: 'a-node', slot: () => 1, recovered: 0 },
    recordsBytesMax: 1_000_000_000,
    capturesBytesMax: 1_000_000_000,
    // However busy the machine is that tests: a test about time sets its own.
    reports: { deadlineMs: 60_000, searchMs: 60_000 },
    onProblem: (problem) => problems.push(problem),
    drainSettlements: async () => undefined,
    ...changes,
  });
  const none = async () => [];
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await calls.close();
    await connections.close();
  };
  return {
    storage: { ...calls, ledger: directLedger(connections, clock) } as unknown as Storage,
    calls,
    connections,
    problems,
    url: database.url,
    clock,
    settlements: none,
    holds: none,
    rollups: none,
    async reopen() {
      await close();
      return open(database, clock, changes);
    },
    async crash() {
      await close();
      const rest = await openConnections({ url: database.url, readUrl: null, connections: 1 });
      await rest.query("delete from facts where name like 'records %'");
      await rest.close();
      return open(database, clock, changes);
    },
    async dispose() {
      await close();
      await database.drop();
    },
  };
}

const SLOTS = 2;

/** Settles without leases, in turn as one of two nodes, so that sums have several rows. */
function directLedger(connections: PostgresConnections, clock: ManualClock): LedgerStore {
  const bank = new PostgresBank({ connections, clock, mode: 'postpaid' });
  let settled = 0;
  return {
    async commit(rows: readonly LedgerRow[]) {
      const settlements = rows.filter((row) => row.type === 'settlement');
      for (let slot = 1; slot <= SLOTS; slot += 1) {
        const own = settlements.filter((_, index) => (settled + index) % SLOTS === slot - 1);
        if (own.length > 0) await bank.settle({ slot, epoch: 1 }, { epoch: 0, encoded: [encodeBatch(own)] });
      }
      settled += settlements.length;
    },
    async post({ at, accountId: account, kind, amount, reference, note }: NewEntry) {
      await connections.query(
        'insert into entries (at, account_id, kind, amount_nano, reference, note) values ($1, $2, $3, $4, $5, $6)',
        [at, account, kind, amount, reference, note],
      );
      await connections.query(
        `insert into funds (account_id, free_nano, bounded, credited_nano, charged_nano) values ($1, $2, false, $2, 0)
         on conflict (account_id) do update set free_nano = funds.free_nano + $2, credited_nano = funds.credited_nano + $2`,
        [account, amount],
      );
    },
    async load() {
      const { rows } = await connections.query<{ account_id: number; balance_nano: bigint }>('select * from balances');
      return {
        balances: new Map(rows.map((row) => [accountId(row.account_id), { balance: nanoUsd(row.balance_nano) }])),
      };
    },
  } as unknown as LedgerStore;
}
