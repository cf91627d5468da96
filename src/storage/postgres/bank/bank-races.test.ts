/**
 * Goal: nothing is lent or counted twice, whatever happens at once. Method: several nodes' connections to a real PostgreSQL, with every
 * sum compared to the nano.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresBank, type PostgresBankUnderTest } from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import type { Budgets } from '../../../core/budget.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { BatchCall } from '../../../nodes/contract/bank-under-test.ts';
import { ACCOUNT, BALANCE, idOf, KEY, sharesOf, TestNode } from '../../../nodes/contract/test-node.ts';
import type { PostgresBank } from './postgres-bank.ts';

const HOLD = 1_000n;
const DAY_MS = 86_400_000;
const DEADLOCK = '40P01';

for (const server of serverNames) {
  const race = (sentence: string, run: (subject: PostgresBankUnderTest, nodes: readonly TestNode[]) => Promise<void>) =>
    void test(`PostgreSQL ${server}: ${sentence}`, { timeout: 120_000 }, async () => {
      const subject = await openPostgresBank(server);
      try {
        await run(subject, await fourNodes(subject));
      } finally {
        await subject.dispose();
      }
    });

  race('of 1,000 holds at a balance for 100 exactly 100 are lent, by four nodes at once', async (subject, nodes) => {
    await subject.post(ACCOUNT, 100n * HOLD);
    const granted = await Promise.all(
      nodes.map(async (node) => {
        let had = 0n;
        let holds = 0;
        for (let call = 0; call < 250; call += 1) {
          const share = await node.lease({ shortfall: HOLD });
          if (share.granted > had) holds += 1;
          had = share.granted;
        }
        return holds;
      }),
    );
    assert.equal(
      granted.reduce((sum, holds) => sum + holds, 0),
      100,
    );
    const account = await subject.account(ACCOUNT);
    assert.deepEqual([account.free, account.balance], [0n, 100n * HOLD]);
    assert.deepEqual(await subject.lent(BALANCE), { granted: 100n * HOLD, spent: 0n });
  });

  race('a day’s budget is used up and never exceeded, with leases over midnight', async (subject, nodes) => {
    const limit = 100n * HOLD;
    const budgets = { day: nanoUsd(limit) };
    await subject.post(ACCOUNT, 1_000n * HOLD);
    await Promise.all(nodes.map((node) => spendAll(node, budgets)));
    await subject.advance(DAY_MS);
    // Each has a share at midnight, and spends it on the day after.
    const shares = await Promise.all(
      nodes.map((node) => node.ask([{ shortfall: 10n * HOLD }, { purse: KEY, shortfall: 10n * HOLD, budgets }], true)),
    );
    for (const answer of shares) assert.ok(sharesOf(answer).every(({ granted }) => granted >= 10n * HOLD));
    await subject.advance(DAY_MS);
    await Promise.all(nodes.map((node) => node.settle([node.call(10n * HOLD, { budgets: 1 })])));
    await Promise.all(nodes.map((node) => spendAll(node, budgets)));
    assert.deepEqual(
      (await subject.spending(KEY)).map(({ charge }) => charge),
      [limit, limit],
    );
  });

  race(
    'connections that are killed in mid-commit lose nothing, and what is sent again counts once',
    async (subject, nodes) => {
      await subject.post(ACCOUNT, 1_000_000n);
      const calls: BatchCall[] = [];
      let killed = 0n;
      const kill = async () => {
        const { rows } = await subject.connections[0].control.query<{ count: bigint }>(
          `select count(*) filter (where pg_terminate_backend(pid)) as count from pg_stat_activity
         where datname = current_database() and application_name = 'turnpike settlements' and state = 'active'`,
        );
        killed += rows[0]?.count ?? 0n;
      };
      await Promise.all(
        nodes.map(async (node) => {
          await node.lease({ shortfall: 100_000 });
          for (let batch = 0; batch < 16; batch += 1) {
            const sent = Array.from({ length: 20 }, (_, index) => node.call(index));
            calls.push(...sent);
            // Two copies at once, and again until they are acknowledged.
            await Promise.all([untilSettled(node, sent), untilSettled(node, sent), kill()]);
          }
        }),
      );
      assert.ok(killed > 0n, 'some were killed');
      await checkSums(subject, calls);
    },
  );

  race(
    'nodes that are reaped under load, and their late batches, keep every sum to the nano',
    async (subject, nodes) => {
      await subject.post(ACCOUNT, 40_000n);
      const calls: BatchCall[] = [];
      let posted = 0;
      for (let round = 0; round < 6; round += 1) {
        const lost = nodes[round % nodes.length] as TestNode;
        const others = nodes.filter((node) => node !== lost);
        await subject.advance(121_000);
        await Promise.all(others.map((node) => node.pulse()));
        posted += 1;
        await Promise.all([
          ...nodes.map(async (node) => {
            for (let batch = 0; batch < 6; batch += 1) {
              const answer = await node.ask([{ shortfall: 0, wish: 2_000 }]);
              if (!answer.isOver) assert.ok((answer.shares[0]?.free ?? 0n) >= 0n);
              const sent = Array.from({ length: 10 }, (_, index) => node.call(100 + index));
              calls.push(...sent);
              await node.settle(sent);
            }
          }),
          ...others.map((node) => node.bank.reap(node.place, 120_000)),
          subject.post(ACCOUNT, 100n),
        ]);
        assert.equal((await lost.pulse()).isMine, false, 'it was reaped');
        await lost.restart();
        await lost.bank.closeLeases(lost.place);
      }
      await checkSums(subject, calls);
      for (const node of nodes) await node.bank.leave(node.place);
      const account = await subject.account(ACCOUNT);
      assert.deepEqual(await subject.lent(BALANCE), { granted: 0n, spent: 0n });
      assert.equal(account.free, account.balance);
      assert.equal(account.balance, 40_000n + 100n * BigInt(posted) - account.charged);
    },
  );
}

async function fourNodes(subject: PostgresBankUnderTest): Promise<readonly TestNode[]> {
  const banks: PostgresBank[] = [...subject.banks, await subject.anotherBank(), await subject.anotherBank()];
  const nodes: TestNode[] = [];
  for (const [index, bank] of banks.entries()) nodes.push(await TestNode.startOn(subject, bank, `node ${index}`));
  return nodes;
}

/** Takes holds and spends them, until the budget leaves nothing. */
async function spendAll(node: TestNode, budgets: Budgets): Promise<void> {
  let spent = (await node.lease({ purse: KEY, shortfall: 0, budgets })).granted;
  for (let isUsedUp = false; !isUsedUp; ) {
    const [balance, budget] = sharesOf(
      await node.ask([{ shortfall: HOLD }, { purse: KEY, shortfall: HOLD, budgets }], true),
    );
    const charge = (budget?.granted ?? 0n) - spent;
    isUsedUp = charge === 0n && balance?.free !== 0n;
    if (charge > 0n) await node.settle([node.call(charge, { budgets: 1 })]);
    spent = nanoUsd(spent + charge);
  }
}

async function untilSettled(node: TestNode, calls: readonly BatchCall[]): Promise<void> {
  for (;;) {
    const answer = await node.settle(calls).catch((error: Error) => {
      assert.notEqual('code' in error && error.code, DEADLOCK);
      return null;
    });
    if (answer === null) continue;
    assert.deepEqual(answer, { conflicts: [], late: null });
    return;
  }
}

/** Settlements, leases, sums and days agree on what was charged, and all of each call is charged or absorbed by the operator. */
async function checkSums(subject: PostgresBankUnderTest, calls: readonly BatchCall[]): Promise<void> {
  const { rows } = await subject.connections[0].query<{ calls: bigint; charge: bigint; loss: bigint }>(
    'select count(*) as calls, sum(charge_nano)::bigint as charge, sum(node_loss_nano)::bigint as loss from settlements',
  );
  const sent = calls.reduce((sum, { settlement }) => sum + settlement.charge, 0n);
  const [kept] = rows;
  assert.equal(kept?.calls, BigInt(new Set(calls.map(idOf)).size));
  assert.equal((kept?.charge ?? 0n) + (kept?.loss ?? 0n), sent);
  const account = await subject.account(ACCOUNT);
  assert.ok(account.free >= 0n);
  assert.equal(account.charged, kept?.charge);
  assert.equal(account.balance, account.credited - account.charged);
  assert.deepEqual(await subject.rolledUp(ACCOUNT), { hours: kept?.charge, days: kept?.charge });
  const days = await subject.spending(KEY);
  assert.equal(
    days.reduce((sum, { charge }) => sum + charge, 0n),
    kept?.charge,
  );
  assert.equal(
    days.reduce((sum, day) => sum + BigInt(day.calls), 0n),
    kept?.calls,
  );
}
