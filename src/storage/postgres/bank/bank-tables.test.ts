/** Goal: the bank's tables hold what they promise. Method: a real PostgreSQL, with rows changed and read past the program. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  openPostgresBank,
  type PostgresBankUnderTest,
  setBankTime,
} from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import type { BillingMode } from '../../../billing/billing-mode.ts';
import { accountId, firstCallIdAt, keyId, newCallId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import type { BatchCall } from '../../../nodes/contract/bank-under-test.ts';
import { ACCOUNT, BALANCE, KEY, TestNode } from '../../../nodes/contract/test-node.ts';
import { type BatchTable, sentColumns } from '../../journal/batch-format.ts';
import { ROLLUP_COLUMNS } from '../../sql/ledger/rollup-columns.ts';
import { SETTLEMENT_COLUMN_NAMES } from '../../sql/ledger/settlement-columns.ts';
import { controlStores, openControlDatabase } from '../control-stores.ts';

const DAY_MS = 86_400_000;

for (const server of serverNames) {
  const check = (
    sentence: string,
    run: (subject: PostgresBankUnderTest) => Promise<void>,
    mode: BillingMode = 'prepaid',
  ) =>
    void test(`PostgreSQL ${server}: ${sentence}`, async () => {
      const subject = await openPostgresBank(server, mode);
      try {
        await run(subject);
      } finally {
        await subject.dispose();
      }
    });

  check('functions take the columns of batches, and tables have those that are declared', async (subject) => {
    const columnsOf = async (name: string) => {
      const { rows } = await subject.connections[0].query<{ column: string }>(
        `select attname as column from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
        [name],
      );
      return rows.map(({ column }) => column);
    };
    const batch = (table: BatchTable) => sentColumns(table).map(({ name }) => name);
    const types = ['turnpike_calls_1', 'turnpike_units_1', 'turnpike_images_1'];
    const settled = (await Promise.all(types.map(columnsOf))).flat();
    assert.deepEqual(settled, batch('settlements'));
    assert.deepEqual(await columnsOf('turnpike_replays_1'), batch('replays'));
    assert.deepEqual(await columnsOf('turnpike_stored_ids_1'), batch('storedIds'));
    const own = new Set(['root_id', 'day', 'slot', 'budgets']);
    const settlements = (await columnsOf('settlements')).filter((name) => !own.has(name));
    assert.deepEqual(settlements.toSorted(), SETTLEMENT_COLUMN_NAMES.toSorted());
    for (const table of ['rollups_hour', 'rollups_day'])
      assert.deepEqual((await columnsOf(table)).toSorted(), [...ROLLUP_COLUMNS, 'slot'].toSorted());
  });

  check('a change by hand that no node would notice is refused, with what to do', async (subject) => {
    const [{ query }] = subject.connections;
    for (const table of ['accounts', 'projects', 'keys', 'providers', 'own_credentials', 'aliases'])
      await assert.rejects(
        query(`truncate ${table} cascade`),
        /follow the rows of \w+, and would not notice TRUNCATE. Use DELETE./,
      );
    await assert.rejects(query('update accounts set id = id + 1'), /accounts by id, which cannot be changed/);
    await query("update accounts set id = id, name = 'the same'");
  });

  check('a change by hand is followed, and one of the program has one number', async (subject) => {
    const [{ control, query }] = subject.connections;
    const { accounts, feed } = controlStores(openControlDatabase(control), subject.clock);
    const account = await accounts.createAccount({ name: 'Acme', createdAt: 1 });
    await accounts.changeAccount(account.id, { name: 'Acme & Sons' });
    assert.equal(await feed.last(), 2);
    await query(`update accounts set name = 'By hand' where id = $1`, [account.id]);
    await query(`insert into projects (account_id, name, created_at) values ($1, 'by hand', 1)`, [account.id]);
    await query('delete from projects');
    const changes = (await feed.since(0, 100)) ?? [];
    assert.deepEqual(
      changes.map(({ seq, topic }) => [seq, topic]),
      [
        [1, 'account'],
        [2, 'account'],
        [3, 'account'],
        [4, 'project'],
        [5, 'project'],
      ],
    );
    assert.equal((await accounts.account(account.id))?.seq, 3);
    await subject.post(ACCOUNT, 5n);
    assert.deepEqual(
      (await feed.since(5, 9))?.map(({ topic, id }) => [topic, id]),
      [['money', String(ACCOUNT)]],
    );
  });

  check(
    'units are settled with their line, in a live epoch and a lost one, and other ones are a conflict',
    async (subject) => {
      const [node] = [await TestNode.start(subject, 0)];
      const most = { ...NO_USAGE, units: 2 ** 31, unitLine: 64 };
      const calls = [
        node.call(0, { usage: most }),
        node.call(0, { usage: { ...NO_USAGE, units: 3, unitLine: 1 } }),
        node.call(0),
      ];
      await node.settle(calls.slice(0, 1));
      await node.settle(calls.slice(1), 0);
      const stored = async () => {
        const { rows } = await subject.connections[0].query<{ units: bigint; unit_line: bigint }>(
          'select units, unit_line from settlements order by units desc',
        );
        return rows.map(({ units, unit_line: line }) => [units, line]);
      };
      const settled = [
        [2n ** 31n, 64n],
        [3n, 1n],
        [0n, 0n],
      ];
      assert.deepEqual(await stored(), settled);
      const [first] = calls as [BatchCall];
      const other = { ...first, settlement: { ...first.settlement, usage: { ...most, unitLine: 63 } } };
      const { conflicts } = await node.settle([other]);
      assert.deepEqual(conflicts.length, 1);
      assert.deepEqual(await stored(), settled);
    },
  );

  check('settlements lie in the partition of their month, also those that came before it was made', async (subject) => {
    const [node] = [await TestNode.start(subject, 0)];
    const partitions = async () => {
      const { rows } = await subject.connections[0].query<{ name: string; count: bigint }>(
        'select tableoid::regclass::text as name, count(*) as count from settlements group by 1 order by 1',
      );
      return rows.map(({ name, count }) => [name, count]);
    };
    const at = (ms: number) => node.call(1, { admittedAt: ms, callId: firstCallIdAt(ms) });
    const june = Date.UTC(2027, 5, 1);
    await node.settle([at(june - 1), at(june), at(june + 30 * DAY_MS - 1), at(subject.now())], 0);
    assert.deepEqual(await partitions(), [
      ['settlements_2026_11', 1n],
      ['settlements_default', 3n],
    ]);
    await subject.advance(june - DAY_MS - subject.now());
    await Promise.all(subject.banks.map((bank) => bank.reap(node.place, 2 ** 50)));
    assert.deepEqual(await partitions(), [
      ['settlements_2026_11', 1n],
      ['settlements_2027_05', 1n],
      ['settlements_2027_06', 2n],
    ]);
    assert.equal((await node.settle([at(june)], 0)).conflicts.length, 0);
    assert.equal((await node.settle([at(june + DAY_MS)], 0)).conflicts.length, 0);
    assert.equal((await subject.rolledUp(ACCOUNT)).days, 5n);
  });

  check(
    'an account that somebody keeps locked does not keep the others of a node from their money',
    async (subject) => {
      const node = await TestNode.start(subject, 0);
      const other = accountId(77);
      for (const account of [ACCOUNT, other]) await subject.post(account, 1_000n);
      const stuck = await subject.connections[1].maintenance.acquire();
      await stuck.query('begin');
      await stuck.query(`select turnpike_lock_purses_1(array[0]::smallint[], array[${ACCOUNT}], true)`);
      const begun = performance.now();
      // It ends in any case, so that a failure is one.
      await stuck.query("set local idle_in_transaction_session_timeout = '8s'");
      const [locked, free] = await Promise.allSettled([
        node.lease({ shortfall: 10, wish: 10 }),
        node.lease({ purse: { kind: 'balance', id: other }, shortfall: 10, wish: 10 }),
      ]);
      const took = performance.now() - begun;
      assert.equal(locked.status, 'rejected');
      assert.equal(free.status === 'fulfilled' && free.value.granted, 10n);
      assert.ok(took < 4_000, `${took} ms`);
      await stuck.query('rollback');
      stuck.release(false);
      assert.equal((await node.lease({ shortfall: 10, wish: 10 })).granted, 10n);
    },
  );

  check(
    'a table that somebody keeps locked does not gather connections of settlements that wait for it',
    async (subject) => {
      const node = await TestNode.start(subject, 0);
      const index = await subject.connections[1].maintenance.acquire();
      await index.query('begin; lock table settlements in share mode');
      // It ends in any case, so that a failure is one.
      await index.query("set local idle_in_transaction_session_timeout = '20s'");
      const call = node.call(0);
      await assert.rejects(node.settle([call]), { code: '55P03' }, 'the server has ended it');
      await index.query('rollback');
      index.release(false);
      assert.deepEqual(await node.settle([call]), { conflicts: [], late: null });
    },
  );

  check('a report that takes long neither keeps a node from its place nor others from reading', async (subject) => {
    const node = await TestNode.start(subject, 0);
    const [connections] = subject.connections;
    const report = await connections.maintenance.acquire();
    await report.query('begin transaction isolation level repeatable read');
    await report.query('select count(*) from settlements');
    await subject.advance(200 * DAY_MS);
    const begun = performance.now();
    await Promise.all([
      TestNode.start(subject, 1),
      subject.banks[0].reap(node.place, 2 ** 50),
      connections.reports.query('select count(*) from settlements'),
      node.settle([node.call(1, { admittedAt: subject.now(), callId: firstCallIdAt(subject.now()) })], 0),
    ]);
    const took = performance.now() - begun;
    assert.ok(took < 10_000, `${took} ms`);
    await report.query('commit');
    report.release(false);
    const months = async () =>
      (
        await connections.query(
          `select 1 from pg_class where relname in ('settlements_2027_06', 'settlements_2027_08')`,
        )
      ).count;
    assert.equal(await months(), 0);
    await subject.banks[0].reap(node.place, 2 ** 50);
    assert.equal(await months(), 2, 'they are made as soon as the report has ended');
  });

  check(
    'an account that pays afterwards has no limit, lent or not, and late charges are taken in full',
    async (subject) => {
      const node = await TestNode.start(subject, 0);
      assert.deepEqual(await node.settle([node.call(30)]), { conflicts: [], late: null });
      assert.equal((await node.lease({ shortfall: 50, wish: 80 })).granted, 80n);
      await node.settle([node.call(100)]);
      assert.deepEqual(await subject.lent(BALANCE), { granted: 80n, spent: 130n });
      const late = node.call(7);
      await node.bank.leave(node.place);
      assert.deepEqual(await node.settle([late]), { conflicts: [], late: { calls: 1, loss: 0n } });
      assert.deepEqual(await subject.account(ACCOUNT), { free: -137n, balance: -137n, credited: 0n, charged: 137n });
    },
    'postpaid',
  );

  check('a budget without a window counts everything, also after the clock was ahead for a while', async (subject) => {
    const [node, other] = [await TestNode.start(subject, 0), await TestNode.start(subject, 1)];
    await subject.post(ACCOUNT, 1_000n);
    const budgets = { total: nanoUsd(500n) };
    const room = async () => (await other.lease({ purse: KEY, shortfall: 0, budgets })).free;
    await node.lease({ shortfall: 500 });
    await node.settle([node.call(100)]);
    await setBankTime(subject.connections[0], subject.now() + 200 * DAY_MS);
    assert.equal(await room(), 400n);
    await setBankTime(subject.connections[0], subject.now());
    await node.settle([node.call(50)]);
    await node.bank.leave(node.place);
    const late = [0, 1].map((ms) => node.call(200, { budgets: 1, callId: newCallId(subject.now() + ms) }));
    assert.deepEqual(await node.settle(late), { conflicts: [], late: { calls: 2, loss: 50n } });
    assert.equal(await room(), 0n);
    await subject.advance(400 * DAY_MS);
    assert.equal(await room(), 0n);
  });

  check(
    'late calls of an account that pays afterwards take what their budgets leave, once',
    async (subject) => {
      const node = await TestNode.start(subject, 0);
      await node.lease({ purse: KEY, shortfall: 10, budgets: { day: nanoUsd(50n) } });
      const calls = [0, 1, 2].map((ms) => node.call(20, { budgets: 1, callId: newCallId(subject.now() + ms) }));
      await node.bank.leave(node.place);
      assert.deepEqual(await node.settle(calls), { conflicts: [], late: { calls: 3, loss: 10n } });
      assert.equal((await subject.account(ACCOUNT)).charged, 50n);
    },
    'postpaid',
  );

  check(
    'an account that pays afterwards, and was lost, owes nothing, its number is not given again, and one without money gets its row',
    async (subject) => {
      const node = await TestNode.start(subject, 0);
      const earlier = node.place.epoch;
      assert.deepEqual(await node.settle([node.call(5)]), { conflicts: [], late: null });
      const [gone, here] = [{ accountId: accountId(40) }, { accountId: accountId(41) }];
      await subject.makeAccount(here.accountId, 0);
      await node.restart();
      const calls = [node.call(30, gone), node.call(7, here)];
      assert.deepEqual(await node.settle(calls, earlier), { conflicts: [], late: { calls: 1, loss: 30n } });
      await node.bank.closeLeases(node.place);
      assert.deepEqual(await subject.account(here.accountId), { free: -7n, balance: -7n, credited: 0n, charged: 7n });
      assert.deepEqual(await subject.account(ACCOUNT), { free: -5n, balance: -5n, credited: 0n, charged: 5n });
      assert.equal((await subject.account(gone.accountId)).charged, 0n);
      const [{ control }] = subject.connections;
      const { accounts } = controlStores(openControlDatabase(control), subject.clock);
      assert.ok((await accounts.createAccount({ name: 'next', createdAt: 1 })).id > 41);
    },
    'postpaid',
  );

  check(
    'no number is given again that a call has, also one of a node without a place, or whose memory was behind',
    async (subject) => {
      const node = await TestNode.start(subject, 0);
      const nextAfter = async (first: number, epoch: number) => {
        const lost = { accountId: accountId(first), projectId: projectId(first + 1), keyId: keyId(first + 2) };
        await node.settle([node.call(5, { ...lost, hold: null })], epoch);
        const { rows } = await subject.connections[0].query<{ id: bigint }>(
          `select nextval(pg_get_serial_sequence(name, 'id')) as id from unnest(array['accounts', 'projects', 'keys']) as name`,
        );
        return rows.map(({ id }) => id);
      };
      assert.deepEqual(await nextAfter(60, 0), [61n, 62n, 63n]);
      assert.deepEqual(await nextAfter(160, node.place.epoch), [161n, 162n, 163n]);
      assert.deepEqual(await nextAfter(160, node.place.epoch), [162n, 163n, 164n], 'nor is one left out');
    },
  );
}
