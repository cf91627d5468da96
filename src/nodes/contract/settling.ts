/** The contract of every bank for settlements: each counts once and whole, and late ones take only what is free. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import { dayOf } from '../../core/calendar.ts';
import { accountId, newCallId, projectId } from '../../core/ids.ts';
import { type BankPromise, type BatchCall, money } from './bank-under-test.ts';
import { twoNodes } from './lending.ts';
import { ACCOUNT, BALANCE, idOf, KEY, PROJECT, type TestNode } from './test-node.ts';

const ACCOUNT_BUDGET = { kind: 'account', id: 7 } as const;

export function settlingPromises(promise: BankPromise): void {
  promise('a call is charged whatever characters its names have', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 100n);
    await first.lease({ shortfall: 60 });
    const odd = first.call(10, { operation: 'o\0', model: 'acme/na\0me', provider: '\0 \ud800 {"\\x' });
    assert.deepEqual(await first.settle([odd, first.call(20)]), { conflicts: [], late: null });
    assert.deepEqual(await first.settle([odd]), { conflicts: [], late: null });
    assert.deepEqual(await subject.lent(BALANCE), { granted: 60n, spent: 30n });
  });

  promise('a settlement takes its charge from the lease, and counts in every sum', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    await first.lease({ shortfall: 100 });
    const calls = [first.call(30), first.call(12)];
    assert.deepEqual(await first.settle(calls), { conflicts: [], late: null });
    assert.deepEqual(await subject.lent(BALANCE), { granted: 100n, spent: 42n });
    assert.deepEqual(await subject.account(ACCOUNT), { free: 900n, balance: 958n, credited: 1_000n, charged: 42n });
    const day = dayOf(subject.now());
    for (const purse of [KEY, PROJECT, ACCOUNT_BUDGET])
      assert.deepEqual(await subject.spending(purse), [{ day, calls: 2, charge: 42n }]);
    assert.deepEqual(await subject.rolledUp(ACCOUNT), { hours: 42n, days: 42n });
    assert.deepEqual(await subject.settlement(idOf(calls[0] as never)), { charge: 30n, nodeLoss: 0n });
    const { money: view } = first.bank;
    const [shown] = await view.of([{ scope: 'account', id: ACCOUNT }]);
    assert.deepEqual([shown?.balance?.balance, shown?.spent.day, shown?.lastDay], [958n, 42n, day]);
  });

  promise('a batch that is sent again counts once, also when both copies arrive at once', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    await first.lease({ shortfall: 500 });
    const calls = Array.from({ length: 40 }, () => first.call(10));
    const halves = [calls.slice(0, 25), calls.slice(15)];
    await Promise.all([calls, ...halves, calls.toReversed()].map((batch) => first.settle(batch)));
    const [, other] = subject.banks;
    await other.settle(first.place, { epoch: first.place.epoch, encoded: halves.map((half) => subject.encode(half)) });
    assert.deepEqual(await subject.lent(BALANCE), { granted: 500n, spent: 400n });
    assert.deepEqual(await subject.rolledUp(ACCOUNT), { hours: 400n, days: 400n });
    assert.deepEqual(await subject.spending(KEY), [{ day: dayOf(subject.now()), calls: 40, charge: 400n }]);
  });

  promise('of two settlements of a call the first counts, and the second one is reported', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    await first.lease({ shortfall: 100 });
    const call = first.call(30);
    await first.settle([call]);
    const other = { ...call, settlement: { ...call.settlement, charge: money(29) } };
    const beside = first.call(5);
    assert.deepEqual(await first.settle([other, beside]), { conflicts: [idOf(call)], late: null });
    assert.deepEqual(await subject.settlement(idOf(call)), { charge: 30n, nodeLoss: 0n });
    assert.deepEqual(await subject.lent(BALANCE), { granted: 100n, spent: 35n });
  });

  promise('a call counts in the budgets that limited it, on the day that its node says', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    await first.lease({ shortfall: 100 });
    const budgets = { day: money(50) };
    await first.lease({ purse: KEY, shortfall: 20, budgets });
    await first.lease({ purse: ACCOUNT_BUDGET, shortfall: 20, budgets });
    const tomorrow = dayOf(subject.now()) + 1;
    await first.settle([
      first.call(8, { budgets: 1 | 4 }),
      first.call(3, { budgets: 4, day: tomorrow }),
      first.call(2),
    ]);
    assert.deepEqual(await subject.lent(KEY), { granted: 20n, spent: 8n });
    assert.deepEqual(await subject.lent(ACCOUNT_BUDGET), { granted: 20n, spent: 11n });
    assert.deepEqual(await subject.spending(KEY), [
      { day: tomorrow - 1, calls: 2, charge: 10n },
      { day: tomorrow, calls: 1, charge: 3n },
    ]);
  });

  promise('a call for which nothing was lent is charged in full, and may leave a debt', async (subject) => {
    const [first] = await twoNodes(subject);
    await subject.post(ACCOUNT, 10n);
    const calls = [first.call(8), first.call(8), first.call(4, { hold: null })];
    assert.deepEqual(await first.settle(calls, 0), { conflicts: [], late: null });
    assert.deepEqual(await subject.account(ACCOUNT), { free: -6n, balance: -6n, credited: 10n, charged: 16n });
    assert.equal((await first.lease({ shortfall: 1 })).granted, 0n);
    await subject.post(ACCOUNT, 10n);
    assert.equal((await first.lease({ shortfall: 4 })).granted, 4n);
  });

  promise(
    'a call whose lease is missing or too small takes what is free, and the others are not affected',
    async (subject) => {
      const [first] = await twoNodes(subject);
      const other = { accountId: accountId(8), projectId: projectId(22) };
      await subject.post(ACCOUNT, 1_000n);
      await subject.post(other.accountId, 15n);
      await first.lease({ shortfall: 100 });
      const calls = [first.call(30), first.call(10, other), first.call(10, other)];
      const answer = await first.settle(calls);
      assert.deepEqual(answer, { conflicts: [], late: { calls: 2, loss: 5n, isFault: true } });
      assert.deepEqual(await subject.account(other.accountId), { free: 0n, balance: 0n, credited: 15n, charged: 15n });
      assert.deepEqual(await subject.lent(BALANCE), { granted: 100n, spent: 30n });
      const late = first.call(80);
      assert.deepEqual(await first.settle([late]), { conflicts: [], late: { calls: 1, loss: 0n, isFault: true } });
      assert.deepEqual(await subject.settlement(idOf(late)), { charge: 80n, nodeLoss: 0n });
      assert.deepEqual(await subject.account(ACCOUNT), { free: 890n, balance: 890n, credited: 1_000n, charged: 110n });
    },
  );

  promise('a settlement of an epoch that is over takes what is free, the operator bears the rest', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 100n);
    await first.lease({ shortfall: 100 });
    const early = first.call(20);
    await first.settle([early]);
    const calls = [1, 2, 3].map((ms) => first.call(40, { callId: newCallId(subject.now() + ms) }));
    await lose(subject, first, second);
    await second.lease({ shortfall: 30 });
    // 20 were charged, 30 are lent again, so 50 are free.
    const answer = await first.settle([early, ...calls]);
    assert.deepEqual(answer, { conflicts: [], late: { calls: 3, loss: 70n } });
    const kept = await Promise.all(calls.map((call) => subject.settlement(idOf(call))));
    assert.deepEqual(
      kept.map((each) => [each?.charge, each?.nodeLoss]),
      [
        [40n, 0n],
        [10n, 30n],
        [0n, 40n],
      ],
    );
    assert.deepEqual(await subject.account(ACCOUNT), { free: 0n, balance: 30n, credited: 100n, charged: 70n });
    assert.deepEqual(await first.settle(calls), { conflicts: [], late: null }, 'sent again, it is known');
    assert.deepEqual(await subject.rolledUp(ACCOUNT), { hours: 70n, days: 70n });
  });

  promise(
    'calls of an account that the bank lost, or that was made after them, are written, and nobody is charged',
    async (subject) => {
      const [first, second] = await twoNodes(subject);
      await subject.post(ACCOUNT, 100n);
      await first.lease({ shortfall: 60 });
      const lost = { accountId: accountId(8), projectId: projectId(22) };
      await subject.post(lost.accountId, 1_000n);
      await first.lease({ purse: { kind: 'balance', id: 8 }, shortfall: 500 });
      const calls = [first.call(30, lost), first.call(12), first.call(5, { ...lost, budgets: 1 })];
      await subject.loseAccount(lost.accountId);

      const answer = await first.settle([calls[0], calls[1]] as BatchCall[]);
      assert.deepEqual(answer, { conflicts: [], late: { calls: 1, loss: 30n, isFault: true } });
      assert.deepEqual(await subject.settlement(idOf(calls[0] as never)), { charge: 0n, nodeLoss: 30n });
      assert.deepEqual(await subject.settlement(idOf(calls[1] as never)), { charge: 12n, nodeLoss: 0n });

      await lose(subject, first, second);
      await subject.makeAccount(lost.accountId, subject.now());
      await subject.post(lost.accountId, 700n);
      const late = await first.settle(calls);
      assert.deepEqual(late, { conflicts: [], late: { calls: 1, loss: 5n } }, 'the others are known');
      assert.deepEqual(await first.settle(calls), { conflicts: [], late: null });
      assert.deepEqual(await subject.account(lost.accountId), {
        ...{ free: 700n, balance: 700n, credited: 700n, charged: 0n },
      });
      assert.equal((await subject.account(ACCOUNT)).charged, 12n);
      assert.deepEqual(await subject.rolledUp(lost.accountId), { hours: 0n, days: 0n });
    },
  );

  promise('a late batch of several days takes what the windows of each day leave', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    const budgets = { day: money(50), week: money(90) };
    await first.lease({ shortfall: 100 });
    await first.lease({ purse: KEY, shortfall: 10, budgets });
    const today = dayOf(subject.now());
    // A Saturday: two days of one week, and one of the next.
    const calls = [today, today, today + 1, today + 1, today + 2].map((day, index) =>
      first.call(30, { budgets: 1, day, callId: newCallId(subject.now() + index) }),
    );
    await lose(subject, first, second);
    assert.deepEqual(await first.settle(calls), { conflicts: [], late: { calls: 5, loss: 30n } });
    const days = await subject.spending(KEY);
    assert.deepEqual(
      days.map(({ day, charge }) => [day - today, charge]),
      [
        [0, 50n],
        [1, 40n],
        [2, 30n],
      ],
    );
  });

  promise('a late call takes from each budget once, also if another of its purses has no limit', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    await first.lease({ shortfall: 100 });
    await first.lease({ purse: KEY, shortfall: 10, budgets: {} });
    await first.lease({ purse: PROJECT, shortfall: 10, budgets: { day: money(50) } });
    const calls = [0, 1, 2].map((ms) => first.call(20, { budgets: 1 | 2, callId: newCallId(subject.now() + ms) }));
    await lose(subject, first, second);
    assert.deepEqual(await first.settle(calls), { conflicts: [], late: { calls: 3, loss: 10n } });
    assert.equal((await subject.account(ACCOUNT)).charged, 50n);
  });

  promise('a budget without a window counts all days, also those that arrive late', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 10_000n);
    const budgets = { total: money(1_000) };
    const room = async () => (await second.lease({ purse: KEY, shortfall: 0, wish: 0, budgets })).free;
    const today = dayOf(subject.now());
    await first.lease({ shortfall: 1_000 });
    const at = (day: number, charge: number) => first.call(charge, { day });
    await first.settle([at(today - 400, 100), at(today - 40, 10), at(today, 1)]);
    assert.equal(await room(), 889n);
    await first.settle([at(today - 400, 7), at(today - 33, 5), at(today - 32, 3), at(today - 31, 2)]);
    assert.equal(await room(), 872n);
    await subject.advance(100 * 86_400_000);
    await second.pulse();
    assert.equal(await room(), 872n);
    await first.settle([at(today - 1, 20), at(today + 70, 30), at(today + 100, 50), at(today - 500, 1)]);
    assert.equal(await room(), 771n);
  });

  promise('a late settlement does not exceed a budget that was lent to another node', async (subject) => {
    const [first, second] = await twoNodes(subject);
    await subject.post(ACCOUNT, 1_000n);
    const budgets = { day: money(100) };
    await first.lease({ shortfall: 100 });
    await first.lease({ purse: KEY, shortfall: 100, budgets });
    const calls = [1, 1, 0].map((budgets, index) =>
      first.call(30, { budgets, callId: newCallId(subject.now() + index) }),
    );
    await lose(subject, first, second);
    assert.equal((await second.lease({ purse: KEY, shortfall: 60, budgets })).granted, 60n);
    assert.deepEqual(await first.settle(calls), { conflicts: [], late: { calls: 3, loss: 20n } });
    assert.equal((await subject.account(ACCOUNT)).charged, 70n);
    await second.lease({ shortfall: 60 });
    await second.settle([second.call(60, { budgets: 1 })]);
    const [today] = await subject.spending(KEY);
    assert.ok(today !== undefined && today.charge - 30n <= 100n, 'but for the call that the budget did not limit');
  });
}

/** `lost` is not seen any more, and `other` declares it lost. */
export async function lose(subject: Parameters<typeof twoNodes>[0], lost: TestNode, other: TestNode): Promise<void> {
  await subject.advance(121_000);
  await other.pulse();
  assert.deepEqual(await other.bank.reap(other.place, 120_000), [lost.place.slot]);
}
