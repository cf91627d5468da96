/**
 * Goal: shares of one balance on several nodes never add up to more than the balance, and no call is refused because a share is
 * small. Method: nodes over a model of the bank, a clock moved by hand, and messages that take a random time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankUnderTest, NOON } from '../../test/support/leases-under-test.ts';
import { call } from '../billing/bank-under-test.ts';
import { Demand } from '../billing/demand.ts';
import type { Lent } from '../billing/lent/funds.ts';
import type { Refusal } from '../billing/refusal.ts';
import { keyId } from '../core/ids.ts';
import { parseUsd, picoUsd } from '../core/money.ts';

test('a call whose share suffices is served in one step, and nobody is asked', async () => {
  const bank = new BankUnderTest();
  bank.topUp('100');
  const node = await bank.node('a');
  await bank.node('b');
  const first = node.take('0.01');
  assert.ok(first instanceof Promise);
  assert.equal((await bank.until(first)).refused, null);
  for (let index = 0; index < 15; index += 1) assert.ok(!(node.take('0.01') instanceof Promise), `call ${index}`);
  assert.equal(node.asked, 1, 'sixteen holds to begin with');
});

test('more is asked for in advance, in the background, so that steady calls never wait', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1000');
  const node = await bank.node('a', 'prepaid', () => ({ there: 3, back: 3 }));
  let waited = 0;
  for (let index = 0; index < 3_000; index += 1) {
    const answer = node.take('0.05');
    if (answer instanceof Promise) waited += 1;
    const lent = await bank.until(Promise.resolve(answer));
    assert.ok(lent.refused === null);
    void node.settle(lent, '0.01', { cost: null });
    await bank.pass(10, 10);
  }
  assert.equal(waited, 1);
  assert.ok(node.asked < 40, `${node.asked} requests for 3,000 calls`);
});

test('refills of many purses go in one request', async () => {
  const bank = new BankUnderTest();
  const node = await bank.node('a');
  const accounts = Array.from({ length: 150 }, (_, index) => index + 1);
  const lents: Lent[] = [];
  for (const account of accounts) {
    bank.topUp('100', account);
    const lent = await bank.until(Promise.resolve(node.take('0.01', { accountId: account as never })));
    assert.ok(lent.refused === null);
    lents.push(lent);
  }
  const before = node.asked;
  for (const account of accounts)
    for (let index = 0; index < 9; index += 1) node.take('0.01', { accountId: account as never });
  await bank.pass(6);
  assert.equal(node.asked, before + 1);
});

test('money that another node has and does not use is called back, and given to the call that needs it', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1');
  const [a, b] = [await bank.node('a'), await bank.node('b')];
  const small = await bank.until(Promise.resolve(a.take('0.01')));
  assert.ok(small.refused === null);
  const whole = await bank.until(Promise.resolve(b.take('0.99')), 100);
  assert.ok(whole.refused === null, 'a has kept what its call holds, and no more');
  const refused = await bank.until(Promise.resolve(a.take('0.01')));
  assert.ok(refused.refused === 'shortfall');
  assert.deepEqual([refused.binding.available, refused.binding.whole], [0n, parseUsd('1')]);
});

test('what the bank may not have taken back, because the answer was lost, is given back when another node needs it', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1');
  const [a, b] = [await bank.node('a'), await bank.node('b')];
  assert.equal((await bank.until(Promise.resolve(a.take('0.01')))).refused, null);
  a.delays = () => ({ there: null, back: null });
  a.leases.giveBack([{ kind: 'balance', id: 1 }]);
  a.delays = () => ({ there: 0, back: 0 });
  await bank.pass(1_900, 100);
  assert.equal((await bank.until(Promise.resolve(b.take('0.99')), 1_000)).refused, null);
});

test('fragments of several nodes are put together', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1');
  const nodes = [await bank.node('a'), await bank.node('b'), await bank.node('c')];
  for (const node of nodes) {
    const lent = await bank.until(Promise.resolve(node.take('0.1')));
    assert.ok(lent.refused === null);
    await node.settle(lent, '0');
  }
  const [first, second] = await bank.until(
    Promise.all([nodes[0]?.take('0.7'), nodes[1]?.take('0.7')] as Promise<Lent | Refusal>[]),
  );
  assert.deepEqual([first?.refused, second?.refused].sort(), [null, 'shortfall'].sort());
});

test('what a call gets in the moment in which it ends is free again', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1');
  const node = await bank.node('a');
  const [one, two] = [
    await bank.until(Promise.resolve(node.take('0.5'))),
    await bank.until(Promise.resolve(node.take('0.5'))),
  ];
  assert.ok(one.refused === null && two.refused === null);
  const more = node.leases.takeMore(two, parseUsd('0.5'));
  assert.ok(more instanceof Promise);
  // Their settlements are in one commit.
  one.release(parseUsd('0'));
  two.release(parseUsd('0'));
  assert.equal(await bank.until(more), false);
  assert.equal((await bank.until(Promise.resolve(node.take('1')))).refused, null);
});

test('a refusal is remembered for 200 ms, or until the account gets money', async () => {
  const bank = new BankUnderTest();
  bank.topUp('0.01');
  const node = await bank.node('a');
  await bank.until(Promise.resolve(node.take('0.02')));
  const { asked } = node;
  const again = node.take('0.02');
  assert.ok(!(again instanceof Promise) && again.refused === 'shortfall');
  assert.equal(node.asked, asked);
  bank.topUp('1');
  assert.ok(!(node.take('0.02') instanceof Promise), 'it has not heard of it');
  node.leases.changed(1 as never);
  assert.equal((await bank.until(Promise.resolve(node.take('0.02')))).refused, null);
  await bank.until(Promise.resolve(node.take('5')));
  await bank.pass(201);
  assert.ok(node.take('5') instanceof Promise);
});

test('an output cap is lowered by what is free at the bank and at hand, never because a share is small', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1000');
  const [node] = [await bank.node('a'), await bank.node('b'), await bank.node('c')];
  const generous = { fixed: picoUsd(0n), perOutputToken: picoUsd(250_000_000n), outputCap: 100_000, mayLower: true };
  const large = new Demand(generous);
  const first = await bank.until(Promise.resolve(node.leases.take(call({}), large)));
  assert.ok(first.refused === null);
  assert.equal(first.amount, parseUsd('25'), 'at the full cap');
  const poor = new BankUnderTest();
  poor.topUp('0.8');
  const other = await poor.node('a');
  const lowered = await poor.until(Promise.resolve(other.leases.take(call({}), new Demand(generous))));
  assert.ok(lowered.refused === null);
  assert.equal(lowered.amount, parseUsd('0.1'), 'an eighth of the balance, as a process has it that has all of it');
});

test('a bank that does not answer is 503 after 2 s, and never a lack of money; a call whose money is at hand goes on', async () => {
  const bank = new BankUnderTest();
  bank.topUp('100');
  const node = await bank.node('a');
  await bank.until(Promise.resolve(node.take('0.01')));
  node.delays = () => ({ there: null, back: 0 });
  const started = bank.clock.monotonic();
  const refused = await bank.until(Promise.resolve(node.take('50')));
  assert.equal(refused.refused, 'ledger_unavailable');
  assert.equal(bank.clock.monotonic() - started, 2_000);
  assert.ok(node.problems.length > 0);
  assert.ok(!(node.take('0.01') instanceof Promise));
  node.delays = () => ({ there: 0, back: 0 });
  assert.equal((await bank.until(Promise.resolve(node.take('50')))).refused, null);
});

test('what was lent in an answer that was lost is found again with the next one', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1');
  const node = await bank.node('a');
  node.delays = () => ({ there: 0, back: null });
  assert.equal((await bank.until(Promise.resolve(node.take('0.9')))).refused, 'ledger_unavailable');
  node.delays = () => ({ there: 0, back: 0 });
  assert.equal((await bank.until(Promise.resolve(node.take('1')))).refused, null);
});

test('what is not used for 10 s goes back, and the purse is forgotten once everything is settled', async () => {
  const bank = new BankUnderTest();
  const node = await bank.node('a');
  for (let account = 1; account <= 1_000; account += 1) {
    bank.topUp('1', account);
    const lent = await bank.until(Promise.resolve(node.take('0.01', { accountId: account as never })));
    assert.ok(lent.refused === null);
    if (account === 1) continue;
    await node.settle(lent, '0.001', { accountId: account as never });
  }
  assert.equal(node.leases.size, 1_000);
  await bank.pass(30_000, 50);
  assert.equal(node.leases.size, 1, 'of the call that is still running');
  const [{ lent } = { lent: null }] = await bank.bank.nodes();
  assert.equal(lent, parseUsd('0.01'));
  assert.equal(bank.bank.totals(2 as never).charged, parseUsd('0.001'));
});

test('a lowered budget ends what was lent under the larger one', async () => {
  const bank = new BankUnderTest();
  bank.topUp('100');
  const node = await bank.node('a');
  const keyBudgets = { day: parseUsd('10') };
  const lent = await bank.until(Promise.resolve(node.take('1', { keyBudgets })));
  assert.ok(lent.refused === null);
  assert.equal(lent.lease.budgets, 1);
  await node.settle(lent, '1');
  const tight = { day: parseUsd('1.5') };
  const refused = await bank.until(Promise.resolve(node.take('1', { keyBudgets: tight })));
  assert.ok(refused.refused === 'shortfall');
  const { scope, window, available, limit } = refused.binding;
  assert.deepEqual([scope, window, available, limit], ['key', 'day', parseUsd('0.5'), parseUsd('1.5')]);
  assert.equal((await bank.until(Promise.resolve(node.take('0.5', { keyBudgets: tight })))).refused, null);
  assert.equal((await bank.until(Promise.resolve(node.take('50')))).refused, null, 'without a budget');
});

test('a day budget that was lent before midnight is not exceeded after it, and is lent in full again', async () => {
  const bank = new BankUnderTest('prepaid', NOON + 12 * 3_600_000 - 2_000);
  bank.topUp('100');
  const [a, b] = [await bank.node('a'), await bank.node('b')];
  const budgets = { keyBudgets: { day: parseUsd('1') } };
  const charged = new Map<number, bigint>();
  for (let index = 0; index < 400; index += 1) {
    const node = index % 2 === 0 ? a : b;
    const lent = await bank.until(Promise.resolve(node.take('0.01', budgets)));
    if (lent.refused === null) {
      charged.set(lent.lease.day, (charged.get(lent.lease.day) ?? 0n) + parseUsd('0.01'));
      await node.settle(lent, '0.01');
    }
    await bank.pass(11);
  }
  assert.equal(charged.size, 2);
  for (const [day, sum] of charged) assert.ok(sum <= parseUsd('1'), `${sum} on day ${day}`);
  assert.equal([...charged.values()].at(-1), parseUsd('1'));
});

test('after the epoch is over nothing is taken, and what was held is settled under its own', async () => {
  const bank = new BankUnderTest();
  bank.topUp('10');
  const [a, b] = [await bank.node('a'), await bank.node('b')];
  const lent = await bank.until(Promise.resolve(a.take('1')));
  assert.ok(lent.refused === null);
  await bank.pass(130_000, 1_000);
  b.pulse();
  await bank.pass(1);
  assert.deepEqual(await bank.bank.reap(b.place, 120_000), [a.place.slot]);
  const whole = await bank.until(Promise.resolve(b.take('10')));
  assert.ok(whole.refused === null);
  assert.equal((await bank.until(Promise.resolve(a.take('1')))).refused, 'ledger_unavailable');
  assert.equal(a.overs, 1);
  await b.settle(whole, '9.5');
  await b.leases.returnAll();
  await a.settle(lent, '1');
  assert.equal(bank.bank.totals(1 as never).balance, 0n);
  const [late] = [...bank.bank.state.settled.values()].filter(({ isLate }) => isLate);
  assert.deepEqual([late?.settlement.charge, late?.settlement.nodeLoss], [parseUsd('0.5'), parseUsd('0.5')]);
});

test('a node that may be taken for lost admits nothing that is limited, not even from what it has', async () => {
  const bank = new BankUnderTest();
  bank.topUp('10');
  const node = await bank.node('a');
  assert.equal((await bank.until(Promise.resolve(node.take('1')))).refused, null);
  node.maySpend = false;
  const refused = node.take('1');
  assert.ok(!(refused instanceof Promise) && refused.refused === 'ledger_unavailable');
  node.maySpend = true;
  assert.ok(!(node.take('1') instanceof Promise));
  const waiting = Promise.resolve(node.take('8'));
  node.maySpend = false;
  assert.equal((await bank.until(waiting)).refused, 'ledger_unavailable');
});

test('a debit takes money back from the nodes, as far as no call holds it', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1');
  const [a, b] = [await bank.node('a'), await bank.node('b')];
  const lent = await bank.until(Promise.resolve(a.take('0.1')));
  assert.ok(lent.refused === null);
  assert.equal(await bank.until(b.leases.collect(1 as never, parseUsd('0.95'))), false);
  assert.equal(await bank.until(b.leases.collect(1 as never, parseUsd('0.9'))), true);
  assert.equal(bank.bank.state.account(1).free, parseUsd('0.9'));
});

test('a call costs the same to put into a long queue as into a short one', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1000');
  const node = await bank.node('a', 'prepaid', () => ({ there: 50, back: 50 }));
  const before = process.cpuUsage();
  const answers = Array.from({ length: 25_000 }, () => Promise.resolve(node.take('0.001')));
  const { user } = process.cpuUsage(before);
  // If each looked at those before it, it would take ten times as long.
  assert.ok(user < 1_200_000, `${user} µs`);
  const outcomes = await bank.until(Promise.all(answers));
  assert.ok(outcomes.every(({ refused }) => refused === null));
});

test('postpaid leases nothing of a balance, only of budgets', async () => {
  const bank = new BankUnderTest('postpaid');
  const node = await bank.node('a', 'postpaid');
  assert.ok(!(node.take('50') instanceof Promise));
  const limited = { accountBudgets: { month: parseUsd('10') } };
  const lent = await bank.until(Promise.resolve(node.take('8', limited)));
  assert.ok(lent.refused === null);
  await node.settle(lent, '8');
  const refused = await bank.until(Promise.resolve(node.take('8', limited)));
  assert.ok(refused.refused === 'shortfall' && refused.binding.scope === 'account');
  assert.equal(bank.bank.totals(1 as never).balance, -parseUsd('8'));
});

test('a flood of calls that there is too little for costs each call the same, and the bank a few requests, whatever they need', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1');
  const [a, b] = [await bank.node('a'), await bank.node('b', 'prepaid', () => ({ there: 1, back: 1 }))];
  const held = await bank.until(Promise.resolve(a.take('0.9')));
  assert.equal(held.refused, null);
  const answers: Promise<Lent | Refusal>[] = [];
  let user = 0;
  for (let ms = 0; ms < 500; ms += 1) {
    const before = process.cpuUsage();
    // Each needs less than the one before it.
    for (let each = 0; each < 16; each += 1)
      answers.push(Promise.resolve(b.take((0.9 - answers.length / 20_000).toFixed(6))));
    user += process.cpuUsage(before).user;
    await bank.pass(1);
  }
  assert.ok(user < 1_200_000, `${user} µs for ${answers.length} calls`);
  const outcomes = await bank.until(Promise.all(answers));
  assert.ok(outcomes.every(({ refused }) => refused === 'shortfall'));
  assert.ok(b.asked < 40, `${b.asked} requests`);
});

test('calls of many keys whose budgets are used up cost the bank little, and a key that gets more is served at once', async () => {
  const bank = new BankUnderTest();
  bank.topUp('1000');
  const node = await bank.node('a');
  const budget = (usd: string) => ({ total: parseUsd(usd) });
  const take = (key: number, usd = '0.01') =>
    Promise.resolve(node.take('1', { keyId: keyId(key), keyBudgets: budget(usd) }));
  const answers: Promise<Lent | Refusal>[] = [];
  for (let ms = 0; ms < 10_000; ms += 50) {
    for (let key = 1; key <= 20; key += 1) answers.push(take(key));
    await bank.pass(50, 10);
  }
  const outcomes = await bank.until(Promise.all(answers));
  assert.ok(outcomes.every(({ refused }) => refused === 'shortfall'));
  assert.ok(node.asked < 20 * 15, `${node.asked} requests in 10 s for 20 keys`);
  assert.equal((await bank.until(take(1, '2'))).refused, null);
});

test('what a call releases is enough together with what is free at the bank, also while a refusal is remembered', async () => {
  const bank = new BankUnderTest();
  bank.topUp('8');
  const node = await bank.node('a');
  const running = await bank.until(Promise.resolve(node.take('5')));
  assert.ok(running.refused === null);
  assert.equal((await bank.until(Promise.resolve(node.take('8')))).refused, 'shortfall');
  running.release(parseUsd('0'));
  assert.equal((await bank.until(Promise.resolve(node.take('8')))).refused, null);
});

test('very many purses that become idle together are returned one request at a time, and calls do not wait for all of them', async () => {
  const bank = new BankUnderTest();
  const node = await bank.node('a');
  const purses = 8_000;
  for (let account = 1; account <= purses; account += 1) bank.topUp('1', account);
  const lents = await bank.until(
    Promise.all(
      Array.from({ length: purses }, (_, account) =>
        Promise.resolve(node.take('0.01', { accountId: (account + 1) as never })),
      ),
    ),
  );
  await Promise.all(
    lents.map((lent, account) => {
      assert.ok(lent.refused === null);
      return node.settle(lent, '0.001', { accountId: (account + 1) as never });
    }),
  );
  let under = 0;
  let most = 0;
  const giveBack = bank.bank.giveBack.bind(bank.bank);
  bank.bank.giveBack = async (...request) => {
    under += 1;
    most = Math.max(most, under);
    await new Promise<void>((resolve) => bank.clock.after(150, resolve));
    under -= 1;
    return giveBack(...request);
  };
  await bank.pass(60_000, 50);
  assert.equal(most, 1);
  assert.equal(node.leases.size, 0);
});
