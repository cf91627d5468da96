/**
 * The contract of every bank for accounts that a database which went back does not have, where balances have no limit: nothing is lent then, so
 * only the bank itself can know that nobody is there to pay. A part of `contract.ts`.
 */
import assert from 'node:assert/strict';
import { accountId, projectId } from '../../core/ids.ts';
import { type BankPromise, type BankUnderTest, type BatchCall, money } from './bank-under-test.ts';
import { ACCOUNT, BALANCE, idOf, TestNode } from './test-node.ts';

const LOST = { accountId: accountId(8), projectId: projectId(22) };

export function lostAccountPromises(promise: BankPromise): void {
  promise('what is sent again of a lost account lets none of its next calls be charged', async (subject) => {
    const node = await TestNode.start(subject, 0);
    await subject.makeAccount(LOST.accountId, 0);
    const before = node.call(30, LOST);
    await node.settle([before]);
    await subject.loseAccount(LOST.accountId);
    const mine = node.call(5);
    assert.deepEqual(await node.settle([before, mine]), { conflicts: [], late: null });
    const calls = [node.call(20, LOST), node.call(7)];
    for (const answer of [{ calls: 1, loss: 20n }, null])
      assert.deepEqual(await node.settle([before, ...calls]), { conflicts: [], late: answer });
    assert.deepEqual(await node.settle([before, ...calls], 0), { conflicts: [], late: null });
    assert.deepEqual(await node.settle([node.call(3, LOST)]), { conflicts: [], late: { calls: 1, loss: 3n } });
    await node.bank.leave(node.place);
    assert.equal((await subject.account(ACCOUNT)).charged, 12n);
    await checkOwesNothing(subject);
  });

  promise('a call of a lost account is not charged either if its node had no place then', async (subject) => {
    const node = await TestNode.start(subject, 0);
    await subject.loseAccount(LOST.accountId);
    const calls = [node.call(20, LOST), node.call(7)];
    assert.deepEqual(await node.settle(calls, 0), { conflicts: [], late: { calls: 1, loss: 20n } });
    assert.deepEqual(await charges(subject, calls), [
      [0n, 20n],
      [7n, 0n],
    ]);
    assert.deepEqual(await node.settle(calls, 0), { conflicts: [], late: null });
    await checkOwesNothing(subject);
  });

  promise(
    'a node that comes back does not charge the new account that has the number of a lost one',
    async (subject) => {
      const node = await TestNode.start(subject, 0);
      const before = node.place.epoch;
      for (const account of [ACCOUNT, LOST.accountId]) await subject.post(account, 100n);
      const calls = [node.call(20, LOST), node.call(7)];
      await subject.loseAccount(LOST.accountId);
      await subject.advance(1_000);
      await subject.makeAccount(LOST.accountId, subject.now());
      await subject.post(LOST.accountId, 500n);
      assert.equal(await node.restart(), before);
      const here = node.call(4, LOST);
      assert.deepEqual(await node.settle(calls, before), { conflicts: [], late: { calls: 1, loss: 20n } });
      assert.deepEqual(await node.settle([here]), { conflicts: [], late: null });
      await node.bank.leave(node.place);
      assert.deepEqual(await charges(subject, [...calls, here]), [
        [0n, 20n],
        [7n, 0n],
        [4n, 0n],
      ]);
      const { balance, charged } = await subject.account(LOST.accountId);
      assert.deepEqual([balance, charged], [496n, 4n]);
    },
  );

  promise('the first call of an account is charged to it, and in budgets what they leave', async (subject) => {
    const node = await TestNode.start(subject, 0);
    await subject.makeAccount(LOST.accountId, subject.now());
    await node.lease({ purse: { kind: 'project', id: 22 }, shortfall: 5, budgets: { day: money(5) } });
    await node.settle([node.call(5, { ...LOST, budgets: 2 })]);
    await node.settle([node.call(6, LOST)]);
    await node.bank.leave(node.place);
    const { balance, charged } = await subject.account(LOST.accountId);
    assert.deepEqual([balance, charged], [-11n, 11n]);
    assert.equal((await subject.lent(BALANCE)).spent, 0n);
  });
}

/** Nor does the account that gets its number. */
async function checkOwesNothing(subject: BankUnderTest): Promise<void> {
  await subject.makeAccount(LOST.accountId, subject.now());
  const { balance, charged } = await subject.account(LOST.accountId);
  assert.deepEqual([balance, charged], [0n, 0n]);
}

function charges(subject: BankUnderTest, calls: readonly BatchCall[]) {
  return Promise.all(
    calls.map(async (call) => {
      const settled = await subject.settlement(idOf(call));
      return [settled?.charge, settled?.nodeLoss];
    }),
  );
}
