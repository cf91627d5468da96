/**
 * Goal: the bank of a node holds, raises, settles and posts as the bank of a process that has all money, and says so in every row. Method:
 * calls over a model of the database's bank, a ledger in memory that records its rows, and arbitrary sequences.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BankUnderTest, type NodeUnderTest } from '../../../test/support/leases-under-test.ts';
import { accountId } from '../../core/ids.ts';
import { nanoUsd, parseUsd, picoUsd } from '../../core/money.ts';
import type { Hold, HoldRequest } from '../bank.ts';
import { bound, call, entry, settlement } from '../bank-under-test.ts';
import type { LedgerRow, LedgerStore } from '../ports.ts';
import { LentBank } from './lent-bank.ts';

test('every row of a call says as what its money was lent', async () => {
  const { database, bank, rows, node } = await nodeWith('1');
  const request = call({ keyBudgets: { day: parseUsd('5') }, bound: bound('0.1') });
  const hold = await admitted(database, bank, request);
  await bank.persistHold(hold, settlement(request, hold, '0'));
  bank.checkpoint(hold, settlement(request, hold, '0.01'));
  await bank.finish(hold, settlement(request, hold, '0.05'));
  const lease = {
    epoch: node.place.epoch,
    rootId: request.keyId,
    budgets: 1,
    day: Math.floor(request.admittedAt / 86_400_000),
  };
  assert.deepEqual(
    rows.map((row) => [row.type, row.lease]),
    [
      ['hold', lease],
      ['checkpoint', lease],
      ['settlement', lease],
    ],
  );
});

test('a call that costs nothing holds nothing, and asks nobody', async () => {
  const { bank, rows, node } = await nodeWith(null);
  for (const each of [null, bound('0')]) {
    const request = call({ bound: each });
    const hold = bank.hold(request);
    assert.ok(!(hold instanceof Promise) && hold.refused === null);
    assert.deepEqual([hold.amount, hold.recorded], [0n, 0n]);
    await bank.finish(hold, settlement(request, hold, '0'));
  }
  assert.equal(node.asked, 0);
  assert.deepEqual(
    rows.map(({ lease }) => lease?.budgets),
    [0, 0],
  );
});

test('a hold is raised from the share, or by what the bank lends, and not beyond what there is', async () => {
  const { database, bank } = await nodeWith('1');
  const request = call({ bound: bound('0.01') });
  const hold = await admitted(database, bank, request);
  assert.equal(bank.raise(hold, { ...request, bound: bound('0.02') }), true, 'in one step');
  const whole = bank.raise(hold, { ...request, bound: bound('1') });
  assert.ok(whole instanceof Promise);
  assert.equal(await database.until(whole), true);
  assert.deepEqual([hold.amount, hold.recorded], [parseUsd('1'), parseUsd('1')]);
  assert.equal(await database.until(Promise.resolve(bank.raise(hold, { ...request, bound: bound('1.01') }))), false);
  assert.equal(hold.amount, parseUsd('1'));
});

test('a call that ends while its hold is being raised leaves nothing held', async () => {
  const { database, bank, node } = await nodeWith('10');
  node.delays = () => ({ there: 20, back: 20 });
  const request = call({ bound: bound('0.01') });
  const hold = await admitted(database, bank, request);
  const raising = Promise.resolve(bank.raise(hold, { ...request, bound: bound('5') }));
  await bank.finish(hold, settlement(request, hold, '0'));
  assert.equal(await database.until(raising), false);
  const next = call({ bound: bound('10') });
  assert.equal((await admitted(database, bank, next)).amount, parseUsd('10'));
});

test('a check in advance refuses only what is known not to be there', async () => {
  const { database, bank } = await nodeWith('0.5');
  const request = call({ bound: bound('1') });
  assert.equal(bank.checkAffordable(request, [bound('1')]), null, 'nobody was asked');
  const refused = await database.until(Promise.resolve(bank.hold(request)));
  assert.equal(refused.refused, 'shortfall');
  assert.equal(bank.checkAffordable(request, [bound('1')])?.refused, 'shortfall');
  assert.equal(bank.checkAffordable(request, [bound('0.5')]), null);
});

test('whether a call can be paid for is asked where it is not known, and nothing stays held', async () => {
  const { database, bank } = await nodeWith('0.5');
  const request = call({ bound: null });
  const poor = bank.askAffordable(request, [bound('1'), bound('0.6')]);
  assert.ok(poor instanceof Promise, 'nothing is lent yet');
  assert.equal((await database.until(poor))?.refused, 'shortfall');
  assert.equal(await database.until(Promise.resolve(bank.askAffordable(request, [bound('1'), bound('0.4')]))), null);
  assert.equal(bank.askAffordable(request, [null]), null, 'what costs nothing needs nothing');
  assert.equal((await admitted(database, bank, call({ bound: bound('0.5') }))).amount, parseUsd('0.5'), 'all of it');
});

test('whether there is any money is asked where it is not known, and nothing stays held', async () => {
  const { database, bank, node } = await nodeWith('0.5');
  const first = bank.checkNotEmpty(call({ bound: null }));
  assert.ok(first instanceof Promise, 'nothing is lent yet');
  assert.equal(await database.until(first), null);
  const { asked } = node;
  assert.equal(bank.checkNotEmpty(call({ bound: null })), null, 'the share says so, in one step');
  assert.equal(node.asked, asked);
  assert.equal((await admitted(database, bank, call({ bound: bound('0.5') }))).amount, parseUsd('0.5'), 'all of it');
  const poor = await nodeWith('0');
  const refused = await poor.database.until(Promise.resolve(poor.bank.checkNotEmpty(call({ bound: null }))));
  assert.equal(refused?.refused, 'shortfall');
});

test('a debit takes what is lent to this node and not held', async () => {
  const { database, bank } = await nodeWith('1');
  await admitted(database, bank, call({ bound: bound('0.3') }));
  const debit = (reference: string, usd: string) =>
    database.until(bank.post(entry({ kind: 'adjustment', reference, amount: nanoUsd(-parseUsd(usd)) })));
  assert.equal((await debit('a', '0.71')).refused, 'exceeds_available');
  assert.equal((await debit('b', '0.7')).refused, null);
  assert.equal(database.bank.totals(accountId(1)).balance, parseUsd('0.3'));
});

test('whatever calls of two nodes do, the balance and each budget cover them, and all that is left comes back', async () => {
  const step = fc.record({
    node: fc.nat(1),
    what: fc.constantFrom('call', 'call', 'finish', 'finish', 'raise', 'top up', 'wait'),
    nano: fc.bigInt({ min: 1n, max: 400_000_000n }),
    share: fc.nat(100),
    isBudgeted: fc.boolean(),
  });
  const keyBudgets = { total: parseUsd('1') };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const database = new BankUnderTest();
      database.topUp('0.8');
      const nodes = [await bankOn(database, 'a'), await bankOn(database, 'b')];
      const open: { readonly bank: LentBank; readonly hold: Hold; readonly request: HoldRequest }[] = [];
      const end = async (which: (typeof open)[number], share: number) => {
        const charge = nanoUsd((which.hold.amount * BigInt(share)) / 100n);
        await which.bank.finish(which.hold, { ...settlement(which.request, which.hold, '0'), charge, cost: charge });
      };
      for (const { node, what, nano, share, isBudgeted } of steps) {
        const { bank } = nodes[node] as (typeof nodes)[number];
        const asked = { fixed: picoUsd(nano * 1_000n), perOutputToken: picoUsd(0n), outputCap: 1, mayLower: false };
        if (what === 'call') {
          const request = call({ bound: asked, ...(isBudgeted && { keyBudgets }) });
          const answer = await database.until(Promise.resolve(bank.hold(request)));
          if (answer.refused === null) open.push({ bank, hold: answer, request });
        } else if (what === 'finish' && open.length > 0) await end(open.shift() as (typeof open)[number], share);
        else if (what === 'raise' && open[0] !== undefined) {
          const { hold, request, bank: own } = open[0];
          await database.until(Promise.resolve(own.raise(hold, { ...request, bound: asked })));
        } else if (what === 'top up') database.topUp('0.1');
        else await database.pass(share * 100, 100);
        const held = open.reduce((sum, { hold }) => sum + hold.amount, 0n);
        assert.ok(held <= database.bank.totals(accountId(1)).balance, 'no more is held than there is');
      }
      for (const each of open) await end(each, 100);
      await database.pass(30_000, 250);
      const { balance } = database.bank.totals(accountId(1));
      assert.equal(database.bank.state.account(1).free, balance);
      assert.equal(database.bank.faults, 0);
      for (const { node } of nodes) assert.equal(node.leases.size, 0);
    }),
    { numRuns: 25 },
  );
});

async function nodeWith(usd: string | null) {
  const database = new BankUnderTest();
  if (usd !== null) database.topUp(usd);
  return { database, ...(await bankOn(database, 'a')) };
}

/** Its rows are recorded, and its settlements are taken by the database at once. */
async function bankOn(database: BankUnderTest, name: string) {
  const node: NodeUnderTest = await database.node(name);
  const rows: LedgerRow[] = [];
  const store = {
    async commit(written: readonly LedgerRow[]) {
      rows.push(...written);
      for (const { type, settlement: settled, lease } of written)
        if (type === 'settlement' && lease != null) await node.forward(settled, lease);
    },
    async post(...asked: Parameters<LedgerStore['post']>) {
      return database.bank.post(asked[0], asked[1]);
    },
  } as unknown as LedgerStore;
  const bank = new LentBank({ store, mode: 'prepaid', isWritable: () => true, funds: node.leases });
  return { bank, node, rows };
}

async function admitted(database: BankUnderTest, bank: LentBank, request: HoldRequest): Promise<Hold> {
  const answer = await database.until(Promise.resolve(bank.hold(request)));
  assert.ok(answer.refused === null, `refused: ${answer.refused}`);
  return answer;
}
