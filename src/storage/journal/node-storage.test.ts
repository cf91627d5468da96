/**
 * Goal: a node that starts again settles what its last run left, from the leases of that run, before it takes calls. Method: a real
 * journal, and the model of the bank.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { nanoUsd } from '../../core/money.ts';
import type { Settlement } from '../../core/settlement.ts';
import { SETTINGS } from '../../nodes/contract/test-node.ts';
import { MemoryBank } from '../../nodes/memory-bank/memory-bank.ts';
import type { NodePlace } from '../../nodes/ports.ts';
import { crashed, NO_RULES, sampleEntry, sampleSettlement, settlementRow } from '../contract/sample-rows.ts';
import type { StorageProblem } from '../storage.ts';
import { decodeBatch } from './decode-batch.ts';
import type { Journal } from './journal.ts';
import { turns } from './journal-under-test.ts';
import { type JournaledNode, openNodeStorage } from './node-storage.ts';
import { openJournal } from './open-journal.ts';

const CREDIT = 1_000n;

test('what a killed process left is settled from its leases, which are closed before calls are taken', async (context) => {
  const subject = await build(context);
  const first = await subject.start();
  const calls = [1, 2].map((ms) => call(ms, 100n)) as [Settlement, Settlement];
  await lend(subject, first.node.place, 300n);
  const lease = { epoch: first.node.place.epoch, rootId: calls[0].keyId, budgets: 0, day: 0 };
  subject.isAway = true;
  await first.journal.commit([{ type: 'hold', settlement: { ...crashed(calls[1]), charge: nanoUsd(40n) }, lease }]);
  await first.journal.commit([settlementRow(calls[0], { lease })]);

  subject.isAway = false;
  const second = await subject.start();
  assert.equal(second.journal.recovered, 1);
  assert.equal(second.node.place.slot, first.node.place.slot);
  assert.ok(second.node.place.epoch > first.node.place.epoch);
  assert.deepEqual(second.node.unsent, { calls: 0, from: null });
  assert.deepEqual(subject.problems, [], 'nothing is late');
  const { balance, charged } = subject.bank.totals(calls[0].accountId);
  assert.deepEqual([balance, charged], [CREDIT - 140n, 140n]);
  assert.equal((await subject.bank.nodes())[0]?.lent, 0n);
});

test('what a node sends after it was declared lost is late', async (context) => {
  const subject = await build(context);
  const { node, journal } = await subject.start();
  const settled = call(1, 100n);
  await lend(subject, node.place, 300n);
  const lease = { epoch: node.place.epoch, rootId: settled.keyId, budgets: 0, day: 0 };
  const other = await subject.bank.register({ id: 'b', fingerprint: 'b', name: 'b', version: '1', settings: SETTINGS });
  assert.ok(other.refused === null);
  subject.clock.advance(60_000);
  await subject.bank.pulse(other.place, { feedSeq: 0, unsentFrom: null, isDraining: false });
  assert.deepEqual(await subject.bank.reap(other.place, 30_000), [node.place.slot]);
  const before = node.place;
  assert.ok((await node.registerAgain()).epoch > before.epoch);
  await journal.commit([settlementRow(settled, { lease })]);
  assert.equal(await subject.forward(node), true);
  assert.deepEqual(
    subject.problems.map(({ type, count }) => [type, count]),
    [['settled_late', 1]],
  );
  assert.equal(subject.bank.totals(settled.accountId).charged, 100n);
});

test('a page of money shows calls that the node had not sent when it was asked for', async (context) => {
  const subject = await build(context);
  const { node, journal } = await subject.start();
  const settled = call(1, 100n);
  await journal.commit([settlementRow(settled)]);
  assert.equal(node.unsent.calls, 1);
  const [shown] = await node.money.of([{ scope: 'account', id: settled.accountId }]);
  assert.deepEqual([shown?.balance?.charged, shown?.spent.total], [100n, 100n]);

  subject.isAway = true;
  await journal.commit([settlementRow(call(2, 50n))]);
  const late = node.money.of([{ scope: 'account', id: settled.accountId }]);
  await turns();
  subject.clock.advance(250);
  assert.equal((await late)[0]?.balance?.charged, 100n, 'a bank that takes nothing holds up no page');
  subject.isAway = false;
});

test('a node that registers again has nothing of what it was lent before', async (context) => {
  const subject = await build(context);
  const { node } = await subject.start();
  await lend(subject, node.place, 300n);
  await node.registerAgain();
  assert.equal((await subject.bank.nodes())[0]?.lent, 0n);
  assert.equal(subject.bank.state.account(call(1, 5n).accountId).free, CREDIT);
});

test('calls that run while their node registers again keep their idempotency keys, and those of an earlier process do not', async (context) => {
  const subject = await build(context);
  const closed: (number | undefined)[] = [];
  subject.bank.closeLeases = async (_place: NodePlace, runsSince?: number) => void closed.push(runsSince);
  const { node } = await subject.start();
  const { epoch } = node.place;
  for (let time = 0; time < 2; time += 1) await node.registerAgain();
  assert.deepEqual(closed, [undefined, epoch, epoch]);
  await subject.start();
  assert.deepEqual(closed.slice(3), [undefined]);
});

test('a node learns that the bank goes on from another history, which may not know what it lent', async (context) => {
  const subject = await build(context);
  const { node } = await subject.start();
  let changes = 0;
  node.onHistoryChange(() => {
    changes += 1;
  });
  const pass = async () => {
    subject.clock.advance(60_000);
    for (let step = 0; step < 20; step += 1) await turns();
  };
  await pass();
  assert.equal(changes, 0);
  subject.history = '1/2';
  await pass();
  assert.equal(changes, 1);
});

test('in another history, what it acknowledged in the last minute is settled again from what was lent, and a late answer is not believed', async (context) => {
  const subject = await build(context);
  subject.placesHaveHistory = true;
  const { node, journal } = await subject.start();
  await lend(subject, node.place, 500n);
  const lease = { epoch: node.place.epoch, rootId: call(1, 1n).keyId, budgets: 0, day: 0 };
  const [sent, answeredLate] = [call(1, 100n), call(2, 50n)];
  const standby = subject.bank.state.copy();
  await journal.commit([settlementRow(sent, { lease })]);
  assert.equal(await subject.forward(node), true);
  const held = Promise.withResolvers<void>();
  subject.held = held.promise;
  await journal.commit([settlementRow(answeredLate, { lease })]);
  for (let step = 0; step < 5; step += 1) {
    await turns();
    subject.clock.advance(20);
  }
  assert.equal(subject.bank.state.settled.size, 2);
  // The standby has nothing of this.
  subject.bank.state = standby;
  subject.history = '1/2';
  subject.held = null;
  const again = node.registerAgain();
  held.resolve();
  for (let step = 0; step < 40; step += 1) {
    await turns();
    subject.clock.advance(20);
  }
  assert.equal((await again).history, '1/2');
  assert.equal(subject.bank.state.settled.size, 2);
  assert.deepEqual(subject.problems, [], 'nothing is late');
  assert.deepEqual(node.unsent, { calls: 0, from: null });
  const { balance, charged } = subject.bank.totals(sent.accountId);
  assert.deepEqual([balance, charged], [CREDIT - 150n, 150n]);
});

for (const when of ['settled', 'registered'] as const)
  test(`a standby that takes over while a node starts, after it was ${when}, gets all of it from what was lent`, async (context) => {
    const subject = await build(context);
    subject.placesHaveHistory = true;
    const first = await subject.start();
    await lend(subject, first.node.place, 300n);
    const settled = call(1, 100n);
    const lease = { epoch: first.node.place.epoch, rootId: settled.keyId, budgets: 0, day: 0 };
    subject.isAway = true;
    await first.journal.commit([settlementRow(settled, { lease })]);
    subject.isAway = false;
    const { bank } = subject;
    const [standby, method] = [bank.state.copy(), when === 'settled' ? 'closeLeases' : 'settle'] as const;
    const asked = bank[method].bind(bank) as (...parts: unknown[]) => Promise<never>;
    let takesOver = true;
    bank[method] = async (...parts: unknown[]) => {
      if (takesOver) {
        takesOver = false;
        bank.state = standby;
        subject.history = '1/2';
      }
      return asked(...parts);
    };
    const second = await subject.start();
    assert.equal(second.node.place.history, '1/2');
    const problems = subject.problems.map(({ type }) => type);
    assert.deepEqual([problems, bank.faults], [['database_went_back'], 0], 'nothing is late');
    const { balance, charged } = bank.totals(settled.accountId);
    assert.deepEqual([balance, charged], [CREDIT - 100n, 100n]);
    assert.equal((await bank.nodes())[0]?.lent, 0n);
  });

test('keys of running calls are claimed at a new place before the old one is given up; if they cannot be, another is taken', async (context) => {
  const subject = await build(context);
  const { node } = await subject.start();
  const { bank } = subject;
  const [before, closed]: [NodePlace, number[]] = [node.place, []];
  const closeLeases = bank.closeLeases.bind(bank);
  bank.closeLeases = (place) => {
    closed.push(place.epoch);
    return closeLeases(place);
  };
  const seen: number[] = [];
  let isAway = true;
  node.onPlaceTaken(async () => {
    seen.push(node.place.epoch);
    assert.deepEqual(closed, []);
    if (isAway) throw new Error('away');
  });
  await assert.rejects(node.registerAgain(), /away/);
  isAway = false;
  const again = node.registerAgain();
  for (let step = 0; step < 20; step += 1) await turns();
  const place = await again;
  assert.deepEqual([seen.length, seen[1], closed], [2, place.epoch, [place.epoch]]);
  assert.ok(place.epoch > before.epoch);
});

test('a process with a copy of the journal is refused while the first one lives', async (context) => {
  const subject = await build(context);
  const first = await subject.start();
  const copy = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  context.after(() => rmSync(copy, { recursive: true }));
  cpSync(subject.folder, copy, { recursive: true });
  const second = subject.start(copy);
  const refused = assert.rejects(second, /node-a, runs with a copy of this node's journal.*remove journal\.db/s);
  for (let step = 0; step < 20; step += 1) await turns();
  const [{ type, cause } = assert.fail(), ...more] = subject.problems;
  assert.deepEqual([type, more], ['place_in_use', []], 'it is said at once what it waits for');
  assert.match((cause as Error).message, /^Another process, node-a, has this node's journal .* waits .* 15 s\.$/);
  for (let second = 0; second < 20; second += 1) {
    await turns();
    subject.clock.advance(1_000);
    await subject.bank.pulse(first.node.place, { feedSeq: 0, unsentFrom: null, isDraining: false });
  }
  await refused;
  assert.equal(subject.problems.length, 1, 'and only once');
});

test('a node that starts on another history than the one in which it ended says so', async (context) => {
  const subject = await build(context);
  for (let time = 0; time < 2; time += 1) await subject.start();
  assert.deepEqual(subject.problems, []);
  subject.history = '1/2';
  await subject.start();
  assert.deepEqual(
    subject.problems.map(({ type, cause }) => [type, (cause as Error).message]),
    [['database_went_back', 'The database has another history than when this node last ran.']],
  );
});

test('a node that cannot send what it has does not start', async (context) => {
  const subject = await build(context);
  const first = await subject.start();
  subject.isAway = true;
  await first.journal.commit([settlementRow(call(1, 5n))]);
  const refused = assert.rejects(subject.start(), /takes none of the 1 settlements in this node's journal. They stay/);
  for (let step = 0; step < 40; step += 1) {
    await turns();
    subject.clock.advance(1_000);
  }
  await refused;
});

function call(ms: number, charge: bigint): Settlement {
  return sampleSettlement(ms, { charge: nanoUsd(charge), hold: nanoUsd(charge) });
}

interface Subject {
  readonly folder: string;
  readonly clock: ManualClock;
  readonly bank: MemoryBank;
  readonly problems: StorageProblem[];
  /** Whether the bank takes no settlements. */
  isAway: boolean;
  /** Of the bank. */
  history: string;
  /** Whether the bank says of each place in which history it is. */
  placesHaveHistory: boolean;
  /** Answers to settlements, which are settled, wait for it. */
  held: Promise<void> | null;
  start(folder?: string): Promise<{ readonly node: JournaledNode; readonly journal: Journal }>;
  forward(node: JournaledNode): Promise<boolean>;
}

async function build(context: TestContext): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const clock = new ManualClock();
  const decode = (bytes: Uint8Array) => decodeBatch(bytes).settlements;
  const bank = new MemoryBank({ clock, mode: 'prepaid', decode });
  bank.post(sampleEntry({ amount: nanoUsd(CREDIT) }), NO_RULES);
  const problems: StorageProblem[] = [];
  const settle = bank.settle.bind(bank);
  const within = ({ history }: NodePlace) => {
    if (history !== undefined && history !== subject.history) throw new Error('another history');
  };
  bank.settle = async (place, batch) => {
    if (subject.isAway) throw new Error('connect ECONNREFUSED');
    within(place);
    const { held } = subject;
    const answer = await settle(place, batch);
    await held;
    return answer;
  };
  const closeLeases = bank.closeLeases.bind(bank);
  bank.closeLeases = async (place) => {
    within(place);
    return closeLeases(place);
  };
  const register = bank.register.bind(bank);
  bank.register = async (identity) => {
    const answer = await register(identity);
    if (answer.refused !== null || !subject.placesHaveHistory) return answer;
    return { ...answer, place: { ...answer.place, history: subject.history } };
  };
  const subject: Subject = {
    ...{ folder, clock, bank, problems, isAway: false, history: '1/1', placesHaveHistory: false, held: null },
    async start(at = folder) {
      const onProblem = (problem: StorageProblem) => {
        if (problem.type !== 'settlements_delayed') problems.push(problem);
      };
      const journal = await openJournal({ folder: at, clock, durability: 'process', onProblem });
      context.after(() => journal.close());
      const parts = { journal, bank, clock, name: 'node-a', version: '1.2.3', settings: SETTINGS, onProblem };
      const starting = openNodeStorage({ ...parts, history: async () => subject.history, isRefusal: () => false });
      let isOver = false;
      void starting
        .catch(() => undefined)
        .finally(() => {
          isOver = true;
        });
      for (let step = 0; step < 100 && !isOver; step += 1) await turns();
      // A node whose database is another one looks again after a moment.
      for (let step = 0; step < 100 && !isOver && subject.placesHaveHistory; step += 1) {
        clock.advance(20);
        await turns();
      }
      const node = await starting;
      context.after(() => node.close());
      return { node, journal };
    },
    async forward(node) {
      const sent = node.forwardAll(1_000);
      for (let step = 0; step < 20; step += 1) {
        await turns();
        clock.advance(20);
      }
      return sent;
    },
  };
  return subject;
}

async function lend({ bank }: Subject, place: NodePlace, amount: bigint): Promise<void> {
  const purse = { kind: 'balance', id: 1 } as const;
  const want = { purse, seq: 1, shortfall: nanoUsd(amount), wish: nanoUsd(amount), budgets: null };
  const answer = await bank.lease(place, [want], true);
  assert.ok(!answer.isOver && answer.shares[0]?.granted === amount, 'it is lent');
}
