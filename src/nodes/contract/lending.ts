/** The contract of every bank for lending: nothing is lent twice, whoever asks at once. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import { dayOf } from '../../core/calendar.ts';
import type { PurseRef } from '../ports.ts';
import { type BankPromise, money } from './bank-under-test.ts';
import { ACCOUNT, BALANCE, idOf, KEY, PROJECT, sharesOf, TestNode } from './test-node.ts';

export function lendingPromises(promise: BankPromise): void {
  promise(
    'a node gets what it lacks, more while there is plenty, and the rest when it is all that is left',
    async (subject) => {
      const [first, second] = await twoNodes(subject);
      await subject.post(ACCOUNT, 1_000n);
      assert.deepEqual(await first.lease({ shortfall: 10, wish: 500 }), share(250, 750));
      assert.deepEqual(
        await second.lease({ shortfall: 10, wish: 100 }),
        share(100, 650, 250),
        'never more than the wish',
      );
      assert.deepEqual(
        await second.lease({ shortfall: 200, wish: 400 }),
        share(300, 450, 250),
        'exactly the shortfall',
      );
      assert.deepEqual(await second.lease({ shortfall: 450, wish: 900 }), share(750, 0, 250));
      assert.deepEqual(await second.lease({ shortfall: 1, wish: 9 }), share(750, 0, 250), 'nothing is free');
      assert.deepEqual(await subject.account(ACCOUNT), { free: 0n, balance: 1_000n, credited: 1_000n, charged: 0n });
    },
  );

  promise('an account without a balance gets nothing', async (subject) => {
    const [first] = await twoNodes(subject);
    assert.deepEqual(await first.lease({ shortfall: 1 }), share(0, 0));
    assert.deepEqual(await first.lease({ shortfall: 0, wish: 5 }), share(0, 0));
    assert.equal((await subject.account(ACCOUNT)).balance, 0n);
  });

  promise('of purses that are asked for together all are lent or none', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    const budgets = { day: money(50) };
    const asked = (shortfall: number) => [{ shortfall }, { purse: KEY, shortfall, budgets }];
    const refused = sharesOf(await first.ask(asked(60), true));
    assert.deepEqual(
      refused.map(({ granted, free }) => [granted, free]),
      [
        [0n, 1_000n],
        [0n, 50n],
      ],
    );
    const single = sharesOf(await first.ask(asked(60), false));
    assert.deepEqual(
      single.map(({ granted }) => granted),
      [60n, 0n],
    );
    const lent = sharesOf(await first.ask(asked(50), true));
    assert.deepEqual(
      lent.map(({ granted }) => granted),
      [110n, 50n],
    );
  });

  promise(
    'an amount that 64 bits do not hold is more than there is, and a budget of as much limits nothing',
    async (subject) => {
      const [first] = await twoNodes(subject);
      await subject.post(ACCOUNT, 1_000n);
      const much = 10n ** 24n;
      assert.deepEqual(await first.lease({ shortfall: 10, wish: much }), share(250, 750));
      assert.deepEqual(await first.lease({ shortfall: much, wish: much }), share(250, 750));
      const budgets = { day: money(much), total: money(much) };
      const lent = await first.lease({ purse: KEY, shortfall: 10, wish: 20, budgets });
      assert.deepEqual([lent.granted, lent.window], [20n, 'day']);
    },
  );

  promise('requests of a node at once are answered each by itself, whatever another one gets', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    const budgets = { day: money(50) };
    const answers = await Promise.all([
      first.ask([{ shortfall: 100 }], true),
      first.ask(
        [
          { purse: PROJECT, shortfall: 60, budgets },
          { purse: POOR, shortfall: 1 },
        ],
        true,
      ),
      first.ask([{ purse: KEY, shortfall: 50, budgets }], true),
      first.ask(
        [
          { purse: PROJECT, shortfall: 40, budgets },
          { purse: POOR, shortfall: 1 },
        ],
        false,
      ),
      first.ask([{ shortfall: 900 }], true),
    ]);
    assert.deepEqual(
      answers.map((answer) => sharesOf(answer).map(({ granted }) => granted)),
      [[100n], [0n, 0n], [50n], [40n, 0n], [1_000n]],
    );
    const removed = await Promise.all([
      first.giveBack(0, { isLast: true }),
      first.giveBack(50, { purse: KEY }),
      first.giveBack(0, { purse: PROJECT, isLast: true }),
    ]);
    assert.deepEqual(removed, [true, false, true]);
    assert.equal((await subject.account(ACCOUNT)).free, 1_000n);
  });

  promise('a budget lends what its tightest window leaves of what was spent and lent', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 10_000n);
    const budgets = { day: money(100), month: money(1_000) };
    const lent = await first.lease({ purse: KEY, shortfall: 60, budgets });
    assert.deepEqual([lent.granted, lent.free, lent.window], [60n, 40n, 'day']);
    await first.lease({ shortfall: 100 });
    await first.settle([first.call(25, { budgets: 1 }), first.call(5, { budgets: 0 })]);
    // 30 were spent, of which the lease covers 25; 35 of it are left.
    const other = await second.lease({ purse: KEY, shortfall: 0, budgets });
    assert.deepEqual([other.free + other.granted, other.elsewhere, other.window], [35n, 35n, 'day']);
    const tighter = await second.lease({ purse: KEY, shortfall: 0, budgets: { day: money(100), total: money(40) } });
    assert.equal(tighter.window, 'total');
    const lowered = await second.lease({ purse: KEY, shortfall: 1, budgets: { day: money(20) } });
    assert.ok(lowered.free < 0n, 'a budget that was lowered leaves less than nothing');
    assert.equal(lowered.granted, tighter.granted);
  });

  promise('a window that begins anew lends all of it again, but for what is lent still', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 10_000n);
    const budgets = { day: money(100), total: money(180) };
    await first.lease({ shortfall: 1_000 });
    await first.lease({ purse: PROJECT, shortfall: 90, budgets });
    await first.settle([first.call(70, { budgets: 2 })]);
    await subject.advance(86_400_000);
    const next = await second.lease({ purse: PROJECT, shortfall: 80, budgets });
    assert.deepEqual([next.granted, next.free, next.elsewhere, next.window], [80n, 0n, 20n, 'day']);
    const third = await second.lease({ purse: PROJECT, shortfall: 11, budgets });
    assert.deepEqual([third.granted, third.free], [80n, 0n]);
    const answer = await second.ask([{ purse: PROJECT, shortfall: 0, budgets }]);
    assert.ok(!answer.isOver && answer.day === dayOf(subject.now()), 'the answer says which day it is');
  });

  promise('a request that is sent again changes nothing, and one that arrives late neither', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    const want = first.want({ shortfall: 100 });
    const once = await first.bank.lease(first.place, [want], true);
    assert.deepEqual(await first.bank.lease(first.place, [want], true), once);
    await first.lease({ shortfall: 50 });
    assert.deepEqual(sharesOf(await first.bank.lease(first.place, [want], true)), [share(150, 850)]);
    const back = { purse: BALANCE, seq: 90, keeps: money(120), isLast: false };
    await first.bank.giveBack(first.place, [back]);
    assert.equal((await subject.account(ACCOUNT)).free, 880n);
    await first.bank.giveBack(first.place, [{ ...back, seq: 89, keeps: money(0) }]);
    assert.deepEqual(await subject.lent(BALANCE), { granted: 120n, spent: 0n });
    assert.deepEqual(await first.lease({ shortfall: 100, seq: 90 }), share(120, 880));
  });

  promise('what is given back is free again, never what was spent', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    await first.lease({ shortfall: 600 });
    await first.settle([first.call(100)]);
    assert.equal(await first.giveBack(700), false);
    assert.equal((await subject.account(ACCOUNT)).free, 400n, 'it keeps more than it has');
    assert.equal(await first.giveBack(300, { isLast: true }), false, 'not all of it is settled');
    assert.equal((await subject.account(ACCOUNT)).free, 700n);
    assert.equal(await first.giveBack(0), false);
    assert.deepEqual(await subject.lent(BALANCE), { granted: 100n, spent: 100n });
    assert.equal(await first.giveBack(100, { isLast: true }), true);
    assert.deepEqual(await subject.lent(BALANCE), { granted: 0n, spent: 0n });
    assert.deepEqual(await subject.account(ACCOUNT), { free: 900n, balance: 900n, credited: 1_000n, charged: 100n });
    assert.equal(await second.giveBack(0, { isLast: true }), true, 'there was none');
    assert.equal((await second.lease({ shortfall: 900 })).granted, 900n);
  });

  promise('a purse that another node has is recalled from it, and from nobody else', async (subject) => {
    const [first, second] = await twoNodes(subject);
    const third = await TestNode.start(subject, 1, 'a third');
    await subject.post(ACCOUNT, 100n);
    await first.lease({ shortfall: 80 });
    assert.deepEqual((await first.pulse()).recalls, []);
    const refused = await second.lease({ shortfall: 30, wish: 60 });
    assert.deepEqual([refused.granted, refused.free, refused.elsewhere], [0n, 20n, 80n]);
    assert.deepEqual((await first.pulse()).recalls, [BALANCE]);
    assert.deepEqual((await second.pulse()).recalls, [], 'it needs it itself');
    assert.deepEqual((await third.pulse()).recalls, [], 'it has none of it');
    await first.giveBack(40);
    assert.equal((await second.lease({ shortfall: 30 })).granted, 30n);
    await subject.advance(1_500);
    assert.deepEqual((await first.pulse()).recalls, [], 'it is forgotten after a second');
  });

  promise('who waits for a recall is woken', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 100n);
    await first.lease({ shortfall: 100 });
    const woken = Promise.withResolvers<void>();
    const stop = await first.bank.listen(() => woken.resolve());
    await second.lease({ shortfall: 1 });
    await woken.promise;
    await stop();
  });

  promise('nodes that ask at once get together what there is, and never more', async (subject) => {
    const nodes = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    const budgets = { total: money(700) };
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const node = nodes[index % 2] as TestNode;
        const asked = [{ shortfall: 30 }, { purse: KEY, shortfall: 30, budgets }];
        // Every other one in the other order.
        return node.ask(index % 4 < 2 ? asked : asked.toReversed(), true);
      }),
    );
    const balance = await subject.lent(BALANCE);
    const budget = await subject.lent(KEY);
    assert.deepEqual([balance.granted, budget.granted], [690n, 690n], 'as many as the budget has');
    assert.equal((await subject.account(ACCOUNT)).free, 310n);
  });

  promise('leases, returns, settlements and entries at once keep the sum', async (subject) => {
    const nodes = await twoNodes(subject);
    await subject.post(ACCOUNT, 10_000n);
    let charged = 0n;
    for (let round = 0; round < 8; round += 1) {
      const shares = await Promise.all(nodes.map((node) => node.lease({ shortfall: 200, wish: 1_000 })));
      await Promise.all([
        subject.post(ACCOUNT, 100n),
        ...nodes.flatMap((node, index) => {
          const calls = [node.call(60), node.call(70 + index)];
          charged += calls.reduce((sum, { settlement }) => sum + settlement.charge, 0n);
          return [
            node.settle(calls),
            node.settle(calls),
            node.lease({ shortfall: 10 }),
            node.giveBack(shares[index]?.granted ?? 0n),
          ];
        }),
      ]);
      const { granted, spent } = await subject.lent(BALANCE);
      const account = await subject.account(ACCOUNT);
      assert.equal(account.free + granted - spent, account.balance);
      assert.deepEqual(account, { ...account, credited: 10_100n + 100n * BigInt(round), charged });
      assert.equal(account.balance, account.credited - charged);
    }
    assert.deepEqual(await subject.rolledUp(ACCOUNT), { hours: charged, days: charged });
  });

  promise('a call without a hold, or one that costs nothing, takes no money', async (subject) => {
    const [first] = await twoNodes(subject);
    const calls = [first.call(5, { hold: null }), first.call(0)];
    assert.deepEqual(await first.settle(calls), { conflicts: [], late: null });
    assert.deepEqual(await subject.account(ACCOUNT), { free: 0n, balance: 0n, credited: 0n, charged: 0n });
    assert.deepEqual(await subject.settlement(idOf(calls[0] as never)), { charge: 5n, nodeLoss: 0n });
    assert.deepEqual(await subject.rolledUp(ACCOUNT), { hours: 5n, days: 5n });
  });
}

/** A balance that nobody has paid into. */
const POOR: PurseRef = { kind: 'balance', id: 8 };

export async function twoNodes(subject: Parameters<typeof TestNode.start>[0]): Promise<[TestNode, TestNode]> {
  return [await TestNode.start(subject, 0), await TestNode.start(subject, 1)];
}

function share(granted: number, free: number, elsewhere = 0) {
  return { granted: BigInt(granted), free: BigInt(free), elsewhere: BigInt(elsewhere), window: null };
}
