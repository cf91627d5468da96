/** PostgreSQL as a bank that is compared: one database, emptied between sequences of requests. */
import { Kysely } from 'kysely';
import type { BillingMode } from '../../../src/billing/billing-mode.ts';
import { postingRules } from '../../../src/billing/posting-rules.ts';
import { ManualClock } from '../../../src/core/clock.ts';
import { type AccountId, accountId as asAccountId } from '../../../src/core/ids.ts';
import { PostgresBank } from '../../../src/storage/postgres/bank/postgres-bank.ts';
import { openConnections, type PostgresConnections } from '../../../src/storage/postgres/engine/connections.ts';
import { NodePostgresDialect } from '../../../src/storage/postgres/engine/kysely-dialect.ts';
import { PostgresTransactions } from '../../../src/storage/postgres/engine/transactions.ts';
import { PostgresClaims } from '../../../src/storage/postgres/exchange/postgres-claims.ts';
import { FundBalances } from '../../../src/storage/postgres/ledger/fund-balances.ts';
import { SqlEntries } from '../../../src/storage/sql/entries.ts';
import type { Schema } from '../../../src/storage/sql/schema.ts';
import { setBankTime } from '../postgres/bank-under-test.ts';
import { createDatabase } from '../postgres/database.ts';
import type { ServerName } from '../postgres/servers.ts';
import { ACCOUNTS, type ComparedBank, START } from './compared-bank.ts';
import { TABLES_SQL, VIOLATIONS_SQL } from './tables-sql.ts';

export interface RealBank extends ComparedBank {
  /** As a new one. */
  empty(): Promise<void>;
  /** What the tables alone say is wrong, as texts; `isAlwaysLent`: no call was charged for which nothing was lent. */
  violations(isAlwaysLent: boolean): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openReal(server: ServerName, mode: BillingMode): Promise<RealBank> {
  const database = await createDatabase(server);
  const connections = await openConnections({ url: database.url, readUrl: null, connections: 4 });
  const transactions = new PostgresTransactions(connections.control);
  const kysely = new Kysely<Schema>({ dialect: new NodePostgresDialect({ role: connections.control, transactions }) });
  const isPrepaid = mode === 'prepaid';
  const entries = new SqlEntries(kysely, transactions, new FundBalances(kysely, isPrepaid));
  const lines = async (text: string, values: readonly unknown[]): Promise<readonly string[]> => {
    const { rows } = await connections.query<{ line: string }>(text, values);
    return rows.map(({ line }) => line).sort();
  };
  return {
    bank: new PostgresBank({ connections, clock: new ManualClock(START), mode }),
    setTime: (ms) => setBankTime(connections, ms),
    post: (entry) => entries.post(entry, postingRules(entry, mode, null)),
    claims: (place) => new PostgresClaims(connections.control, place),
    makeAccount: (id, at) => makeAccount(connections, id, at),
    loseAccount: async (id) =>
      void (await connections.query(
        `with account as (delete from accounts where id = $1), lease as (delete from leases where kind = 0 and id = $1),
           lost as (insert into lost_accounts select $1 on conflict do nothing)
         delete from funds where account_id = $1`,
        [id],
      )),
    tables: () => lines(TABLES_SQL, [isPrepaid]),
    violations: (isAlwaysLent) => lines(VIOLATIONS_SQL, [isPrepaid, isAlwaysLent]),
    async empty() {
      for (const table of WRITTEN) await connections.query(`delete from ${table}`);
      await connections.query('create table if not exists lost_accounts (id integer primary key)');
      await connections.query('delete from lost_accounts');
      await setBankTime(connections, START);
      for (const { account } of ACCOUNTS) await makeAccount(connections, asAccountId(account), 0);
    },
    async close() {
      await connections.close();
      await database.drop();
    },
  };
}

const WRITTEN = [
  ...['leases', 'funds', 'budget_purses', 'spending_days', 'spending_before', 'recalls', 'settlements', 'entries'],
  ...['rollups_hour', 'rollups_day', 'replay_claims', 'superseded_calls', 'replays', 'nodes', 'accounts'],
];

async function makeAccount({ query }: PostgresConnections, id: AccountId, at: number): Promise<void> {
  await query(
    `insert into accounts (id, name, created_at, seq) overriding system value
     values ($1::integer, 'account ' || $1::integer, $2, 1) on conflict (id) do nothing`,
    [id, at],
  );
}
