/**
 * Goal: a statement of the bank reads what it is about, however much there is, also before PostgreSQL knows how large its tables have
 * become, and with plans that it made when they were empty. Method: counts of the rows that were read and of the plans that were made, on
 * every PostgreSQL that is here.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresBank, type PostgresBankUnderTest } from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { dayOf } from '../../../core/calendar.ts';
import { accountId } from '../../../core/ids.ts';
import { money } from '../../../nodes/contract/bank-under-test.ts';
import { KEY, TestNode } from '../../../nodes/contract/test-node.ts';
import type { PurseRef } from '../../../nodes/ports.ts';

const LENT = 5_000;
const SETTLED = 20_000;
/** An epoch of which nothing is lent. */
const LATE = 1;
/** Accounts of a statement, from `FIRST` on: so many that the planner compares with reading all that is lent to the node. */
const ACCOUNTS = 100;
const FIRST = 1_001;
/** A statement reads a purse's row some times. */
const READ_MOST = 10 * ACCOUNTS;

for (const server of serverNames)
  test(`PostgreSQL ${server}: with much lent and settled, a statement reads what it is about`, {
    timeout: 120_000,
  }, async () => {
    const subject = await openPostgresBank(server);
    try {
      const node = await TestNode.start(subject, 0);
      const other = await TestNode.start(subject, 1);
      await keepWithoutStatistics(subject);
      const early: PurseRef = { kind: 'balance', id: 1 };
      const first = [node.call(5, { accountId: accountId(1) })];
      await node.ask([{ purse: early, shortfall: 2_000 }]);
      for (const sent of [first, first]) await node.settle(sent);
      await node.settle([node.call(5, { accountId: accountId(2) })], LATE);
      await node.bank.giveBack(node.place, [{ purse: early, seq: 800, keeps: money(5), isLast: false }]);
      await lendMuch(subject, node.place.slot);
      await settleMuch(subject);
      const ids = Array.from({ length: ACCOUNTS }, (_, index) => FIRST + index);
      const purses = ids.map((id): PurseRef => ({ kind: 'balance', id }));
      const giveBack = (seq: number, isLast: boolean) =>
        node.bank.giveBack(
          node.place,
          purses.map((purse) => ({ purse, seq, keeps: money(5), isLast })),
        );
      const calls = ids.map((id) => node.call(5, { accountId: accountId(id) }));
      const works = {
        lease: () => node.ask(purses.map((purse) => ({ purse, shortfall: 2_000 }))),
        settle: () => node.settle(calls),
        'settle again': () => node.settle(calls),
        giveBack: () => giveBack(900, false),
        'giveBack for good': () => giveBack(901, true),
        'settle late': () =>
          node.settle(
            ids.map((id) => node.call(5, { accountId: accountId(id) })),
            LATE,
          ),
        pulse: () => other.pulse(),
      };
      for (const [name, work] of Object.entries(works)) {
        const before = await rowsRead(subject);
        await work();
        const read = (await rowsRead(subject)) - before;
        assert.ok(read <= READ_MOST, `${name} reads ${read} rows of leases and settlements`);
      }
    } finally {
      await subject.dispose();
    }
  });

/** Nothing may make PostgreSQL plan again later. */
async function keepWithoutStatistics({ connections: [{ query }] }: PostgresBankUnderTest): Promise<void> {
  const { rows } = await query<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree('settlements') where isleaf union all select 'leases'`,
  );
  for (const { name } of rows) await query(`alter table ${name} set (autovacuum_enabled = false)`);
}

for (const server of serverNames)
  test(`PostgreSQL ${server}: a late batch is settled with work in proportion to it`, {
    timeout: 120_000,
  }, async () => {
    const subject = await openPostgresBank(server);
    try {
      const [node, other] = [await TestNode.start(subject, 0), await TestNode.start(subject, 1)];
      await lendMuch(subject, other.place.slot);
      const made = await subject.connections[0].query<{ id: number }>(
        `insert into accounts (id, name, created_at, seq) overriding system value
         select id, 'account ' || id, 0, 1 from generate_series($1::integer, $1::integer + 1999) as id returning id`,
        [FIRST],
      );
      const rows = [...made.rows];
      const settle = (count: number) =>
        node.settle(rows.splice(0, count).map(({ id }) => node.call(5, { accountId: accountId(id) })));
      await node.bank.leave(node.place);
      for (const count of [100, 400]) {
        const before = await rowsRead(subject);
        assert.deepEqual(await settle(count), { conflicts: [], late: { calls: count, loss: money(5 * count) } });
        assert.ok((await rowsRead(subject)) - before <= 10 * count, 'rows of leases');
      }
      const { rows: steps } = await subject.connections[0].query<{ body: string }>(
        `select prosrc as body from pg_proc where proname = 'turnpike_late_3'`,
      );
      assert.doesNotMatch(steps[0]?.body ?? '', /json|\|\|/, 'nothing is copied for each call');
    } finally {
      await subject.dispose();
    }
  });

for (const server of serverNames)
  test(`PostgreSQL ${server}: a budget without a window reads the last weeks only, after years too`, async () => {
    const subject = await openPostgresBank(server);
    try {
      const node = await TestNode.start(subject, 0);
      const today = dayOf(subject.now());
      await subject.connections[0].query(
        `insert into spending_days (kind, id, day, slot, calls, charge_nano, own_cost_nano)
         select 1, 31, $1::integer - n, 1, 1, 2, 0 from generate_series(1, 2000) as n`,
        [today],
      );
      await subject.connections[0].query('vacuum analyze spending_days');
      const ask = () => node.lease({ purse: KEY, shortfall: 0, budgets: { total: money(10_000) } });
      assert.equal((await ask()).free, 6_000n);
      const before = await rowsRead(subject, 'spending_days');
      assert.equal((await ask()).free, 6_000n);
      const read = (await rowsRead(subject, 'spending_days')) - before;
      assert.ok(read > 0 && read <= 150, `${read} of 2,000 days`);
    } finally {
      await subject.dispose();
    }
  });

/** Without statistics of the table: the planner takes its guesses. */
async function lendMuch({ connections: [{ query }] }: PostgresBankUnderTest, slot: number): Promise<void> {
  await query(
    `insert into leases (kind, id, slot, bounded, granted_nano, spent_nano, seq)
     select 0, id, $1::smallint, false, 10, 0, 1 from generate_series($2::integer, $2::integer + $3::integer - 1) as id`,
    [slot, FIRST, LENT],
  );
}

/** Copies of one that was, with other ids of the same time, and without statistics. */
async function settleMuch({ connections: [{ query }] }: PostgresBankUnderTest): Promise<void> {
  const { rows } = await query<{ columns: string }>(
    `select string_agg(column_name, ', ') as columns from information_schema.columns where table_name = 'settlements' and column_name <> 'call_id'`,
  );
  const columns = rows[0]?.columns;
  await query(
    `insert into settlements (${columns}, call_id)
     select ${columns}, substr(call_id, 1, 6) || decode(lpad(to_hex(number), 20, '0'), 'hex')
     from (select * from settlements limit 1) as one, generate_series(1, $1::integer) as number`,
    [SETTLED],
  );
}

async function rowsRead({ connections }: PostgresBankUnderTest, tables = '^(leases|settlements)'): Promise<number> {
  // What a session has counted is in the statistics after its next statement at the latest.
  for (const each of connections)
    for (const role of ['leases', 'settlements', 'pulse'] as const)
      await each[role].query('select pg_stat_force_next_flush()');
  const { rows } = await connections[0].query<{ read: bigint }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_user_tables where relname ~ $1`,
    [tables],
  );
  return Number(rows[0]?.read);
}
