/** The bank in a fresh database, for tests: two nodes' connections, and time that stands still until it is set. */

import type { BillingMode } from '../../../src/billing/billing-mode.ts';
import { ManualClock } from '../../../src/core/clock.ts';
import { type AccountId, type CallId, callIdBytes } from '../../../src/core/ids.ts';
import { nanoUsd } from '../../../src/core/money.ts';
import type {
  AccountMoney,
  BankUnderTest,
  BatchCall,
  LentSum,
  SpentDay,
} from '../../../src/nodes/contract/bank-under-test.ts';
import { ACCOUNT } from '../../../src/nodes/contract/test-node.ts';
import type { PurseRef } from '../../../src/nodes/ports.ts';
import { encodeBatch } from '../../../src/storage/journal/encode-batch.ts';
import { PostgresBank } from '../../../src/storage/postgres/bank/postgres-bank.ts';
import { purseCodes } from '../../../src/storage/postgres/bank/purse-codes.ts';
import { openConnections, type PostgresConnections } from '../../../src/storage/postgres/engine/connections.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import type { ServerName } from './servers.ts';

const START = Date.UTC(2026, 10, 21, 12);

export class PostgresBankUnderTest implements BankUnderTest {
  readonly banks: readonly [PostgresBank, PostgresBank];
  readonly clock = new ManualClock(START);
  readonly database: TestDatabase;
  readonly connections: readonly [PostgresConnections, PostgresConnections];
  readonly #more: PostgresConnections[] = [];
  readonly #mode: BillingMode;
  #entries = 0;

  constructor(
    database: TestDatabase,
    connections: readonly [PostgresConnections, PostgresConnections],
    mode: BillingMode,
  ) {
    this.database = database;
    this.connections = connections;
    this.#mode = mode;
    const [first, second] = connections;
    this.banks = [this.#bankOn(first), this.#bankOn(second)];
  }

  /** The bank as another node reaches it. */
  async anotherBank(): Promise<PostgresBank> {
    const connections = await connect(this.database);
    this.#more.push(connections);
    return this.#bankOn(connections);
  }

  now(): number {
    return this.clock.now();
  }

  async advance(byMs: number): Promise<void> {
    this.clock.advance(byMs);
    await setBankTime(this.connections[0], this.clock.now());
  }

  async post(accountId: AccountId, amount: bigint): Promise<void> {
    this.#entries += 1;
    await this.makeAccount(accountId, 0);
    await this.connections[1].query(
      `with entry as (
        insert into entries (at, account_id, kind, amount_nano, reference) values ($1, $2, 'adjustment', $3, $4)
      )
      insert into funds as f (account_id, free_nano, bounded, credited_nano, charged_nano) values ($2, $3, true, $3, 0)
      on conflict (account_id) do update set
        free_nano = f.free_nano + excluded.free_nano, credited_nano = f.credited_nano + excluded.credited_nano`,
      [this.now(), accountId, amount, String(this.#entries)],
    );
  }

  async makeAccount(accountId: AccountId, at: number): Promise<void> {
    await makeAccount(this.connections[1], accountId, at);
  }

  async loseAccount(accountId: AccountId): Promise<void> {
    await this.connections[1].query(
      `with account as (delete from accounts where id = $1), lease as (delete from leases where kind = 0 and id = $1)
      delete from funds where account_id = $1`,
      [accountId],
    );
  }

  encode(rows: readonly BatchCall[]): Uint8Array {
    return encodeBatch(rows);
  }

  async account(accountId: AccountId): Promise<AccountMoney> {
    const { rows } = await this.connections[0].query<Record<keyof AccountMoney, bigint>>(
      `select free_nano as free, balance_nano as balance, balances.credited_nano as credited, balances.charged_nano as charged
       from balances join funds using (account_id) where account_id = $1`,
      [accountId],
    );
    return rows[0] ?? { free: 0n, balance: 0n, credited: 0n, charged: 0n };
  }

  async lent({ kind, id }: PurseRef): Promise<LentSum> {
    const { rows } = await this.connections[0].query<LentSum>(
      `select coalesce(sum(granted_nano), 0)::bigint as granted, coalesce(sum(spent_nano), 0)::bigint as spent
       from leases where kind = $1 and id = $2`,
      [purseCodes[kind], id],
    );
    return rows[0] as LentSum;
  }

  async settlement(callId: CallId) {
    const { rows } = await this.connections[0].query<{ charge: bigint; loss: bigint }>(
      'select charge_nano as charge, node_loss_nano as loss from settlements where call_id = $1',
      [callIdBytes(callId)],
    );
    const row = rows[0];
    return row === undefined ? null : { charge: nanoUsd(row.charge), nodeLoss: nanoUsd(row.loss) };
  }

  async spending({ kind, id }: PurseRef): Promise<readonly SpentDay[]> {
    const { rows } = await this.connections[0].query<{ day: number; calls: bigint; charge: bigint }>(
      `select day, sum(calls)::bigint as calls, sum(charge_nano)::bigint as charge from spending_days
       where kind = $1 and id = $2 group by day order by day`,
      [purseCodes[kind], id],
    );
    return rows.map(({ day, calls, charge }) => ({ day, calls: Number(calls), charge }));
  }

  async rolledUp(accountId: AccountId) {
    const sum = (table: string) => `(select coalesce(sum(charge_nano), 0)::bigint from ${table} where account_id = $1)`;
    const { rows } = await this.connections[0].query<{ hours: bigint; days: bigint }>(
      `select ${sum('rollups_hour')} as hours, ${sum('rollups_day')} as days`,
      [accountId],
    );
    return rows[0] as { hours: bigint; days: bigint };
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.connections, ...this.#more].map((connections) => connections.close()));
    await this.database.drop();
  }

  #bankOn(connections: PostgresConnections): PostgresBank {
    return new PostgresBank({ connections, clock: this.clock, mode: this.#mode });
  }
}

export async function openPostgresBank(
  server: ServerName,
  mode: BillingMode = 'prepaid',
): Promise<PostgresBankUnderTest> {
  const database = await createDatabase(server);
  const connections = [await connect(database), await connect(database)] as const;
  await setBankTime(connections[0], START);
  await makeAccount(connections[0], ACCOUNT, 0);
  return new PostgresBankUnderTest(database, connections, mode);
}

/** Without a change of the feed. Does nothing if it is there. */
async function makeAccount({ query }: Pick<PostgresConnections, 'query'>, id: number, at: number): Promise<void> {
  await query(
    `insert into accounts (id, name, created_at, seq) overriding system value
     values ($1::integer, 'account ' || $1::integer, $2, 1) on conflict (id) do nothing`,
    [id, at],
  );
}

/** Replaces the database's clock: from now on it says this time, ms, to every connection. */
export async function setBankTime({ query }: Pick<PostgresConnections, 'query'>, ms: number): Promise<void> {
  await query(
    `create or replace function turnpike_now() returns bigint language sql volatile as 'select ${Math.trunc(ms)}::bigint'`,
  );
}

function connect({ url }: TestDatabase): Promise<PostgresConnections> {
  return openConnections({ url, readUrl: null, connections: 4 });
}
