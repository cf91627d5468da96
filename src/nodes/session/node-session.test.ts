/**
 * Goal: a node has its place as long as the bank says so and no longer, pulses as often as it must, and follows what others change.
 * Method: a bank that answers as the test says, and a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '../../core/clock.ts';
import type { Pulse } from '../ports.ts';
import { BankUnderTest } from './bank-under-test.ts';
import { LOST_AFTER_MS, STOP_AFTER_MS } from './fence.ts';
import { type NodeEvent, NodeSession } from './node-session.ts';
import { PERIOD_MS } from './pulse-loop.ts';
import { CONTACT_MS } from './reaper.ts';
import { SyncedClock } from './synced-clock.ts';

const START = Date.UTC(2026, 10, 23);

async function open() {
  const clock = new ManualClock(START + 3_600_000);
  const bank = new BankUnderTest(() => START + clock.monotonic());
  const synced = new SyncedClock(clock);
  const events: NodeEvent[] = [];
  const follower = {
    seq: 0,
    isBroken: false,
    distrusted: 0,
    distrust() {
      this.distrusted += 1;
      this.seq = 0;
    },
    async follow({ lastSeq }: Pick<Pulse, 'lastSeq'>) {
      if (!this.isBroken) this.seq = lastSeq;
      return !this.isBroken;
    },
  };
  const session = new NodeSession({
    storage: bank.parts(),
    clock,
    synced,
    follower,
    onEvent: (event) => events.push(event),
  });
  await session.start();
  /** Passes the time in steps of a period, and lets every answer arrive. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= PERIOD_MS) {
      clock.advance(Math.min(left, PERIOD_MS));
      await nextTurn();
    }
  };
  const types = () => events.map(({ type }) => type);
  return { clock, bank, synced, events, types, follower, session, pass };
}

test('it pulses every 250 ms, says where it stands, and shows the time of the database', async () => {
  const { bank, pass, follower, synced, clock } = await open();
  assert.equal(bank.pulses.length, 1);
  bank.lastSeq = 7;
  bank.unsent = { calls: 2, from: 41 };
  await pass(PERIOD_MS);
  await pass(PERIOD_MS);
  assert.deepEqual(bank.pulses.at(-1), { feedSeq: 7, unsentFrom: 41, isDraining: false });
  assert.equal(follower.seq, 7);
  assert.equal(bank.pulses.length, 3);
  assert.equal(synced.now(), START + clock.monotonic());
});

test('a wake brings the next pulse at once, and one under way is followed by another', async () => {
  const { bank, clock, pass } = await open();
  await pass(10);
  bank.wake();
  assert.equal(bank.pulses.length, 2);
  await nextTurn();
  clock.advance(10);
  const answer = bank.holdAnswers();
  bank.wake();
  for (let each = 0; each < 100; each += 1) bank.wake();
  assert.equal(bank.pulses.length, 3);
  answer();
  await nextTurn();
  clock.advance(10);
  await nextTurn();
  assert.equal(bank.pulses.length, 4);
});

test('listeners get recalls and the number of nodes in the step of the answer', async () => {
  const { bank, session, pass } = await open();
  const seen: Pulse[] = [];
  session.onPulse((pulse) => seen.push(pulse));
  bank.recalls = [{ kind: 'balance', id: 3 }];
  bank.liveNodes = 4;
  await pass(PERIOD_MS);
  assert.deepEqual(seen.at(-1)?.recalls, [{ kind: 'balance', id: 3 }]);
  assert.equal(session.liveNodes, 4);
});

test('it stops spending 100 s after the last answered pulse was sent, by the monotonic clock', async () => {
  const { bank, session, pass, types } = await open();
  bank.isAway = true;
  await pass(STOP_AFTER_MS - PERIOD_MS);
  assert.equal(session.maySpend, true);
  await pass(PERIOD_MS);
  assert.equal(session.maySpend, false);
  assert.deepEqual(types(), ['pulse_failed']);
  bank.isAway = false;
  await pass(PERIOD_MS);
  assert.equal(session.maySpend, true);
  assert.deepEqual(types(), ['pulse_failed', 'pulse_answered']);
});

test('a machine that was suspended stops by its wall clock, before any pulse', async () => {
  const { session, clock, pass } = await open();
  clock.stepWall(STOP_AFTER_MS);
  assert.equal(session.maySpend, false);
  await pass(PERIOD_MS);
  assert.equal(session.maySpend, true);
});

test('what counts is when the pulse was sent, not when it was answered', async () => {
  const { bank, session, clock } = await open();
  clock.advance(10);
  const answer = bank.holdAnswers();
  bank.wake();
  clock.advance(STOP_AFTER_MS - 1_000);
  answer();
  await nextTurn();
  assert.equal(session.maySpend, true);
  bank.isAway = true;
  clock.advance(1_000);
  assert.equal(session.maySpend, false);
});

test('a node whose epoch is over drops what it was lent, and takes a new place', async () => {
  const { bank, session, pass, types } = await open();
  const told: string[] = [];
  session.onPlaceLost(() => told.push(`lost, may spend: ${session.maySpend}`));
  session.onPlace(({ epoch }) => told.push(`epoch ${epoch}, may spend: ${session.maySpend}`));
  bank.epoch = 5;
  await pass(PERIOD_MS);
  assert.deepEqual(told, ['lost, may spend: false', 'epoch 6, may spend: true']);
  assert.deepEqual(session.place, { slot: 1, epoch: 6 });
  assert.deepEqual(types(), ['node_lost_its_place', 'node_registered']);
  await pass(PERIOD_MS);
  assert.equal(session.maySpend, true);
});

test('in a database of another history, with fewer changes than it had, or with a shorter log, it takes a new place and reads everything anew', async () => {
  const { bank, session, follower, pass, types } = await open();
  bank.place = { slot: 1, epoch: 1, history: '7/1' };
  bank.epoch = 5;
  bank.history = '7/2';
  await pass(PERIOD_MS);
  assert.deepEqual(
    [session.place, bank.wentBack, follower.distrusted],
    [{ slot: 1, epoch: 6, history: '7/2' }, [false], 1],
  );
  bank.lastSeq = 9;
  await pass(1_000);
  assert.equal(follower.seq, 9);
  bank.lastSeq = 8;
  bank.refusesPlaces = true;
  await pass(1_000);
  assert.deepEqual([session.place, session.maySpend, follower.distrusted], [null, false, 1]);
  bank.refusesPlaces = false;
  await pass(1_000);
  assert.deepEqual([session.place?.epoch, bank.wentBack, follower.distrusted], [7, [false, true], 2]);
  bank.hasGoneBack = true;
  await pass(PERIOD_MS);
  bank.hasGoneBack = false;
  await pass(1_000);
  assert.deepEqual([session.place?.epoch, bank.wentBack, follower.distrusted], [8, [false, true, true], 3]);
  const before = types().length;
  await pass(1_000);
  assert.deepEqual([follower.seq, types().length], [8, before]);
});

test('without a place it spends nothing, and tries once a second to get one', async () => {
  const { bank, session, pass, types } = await open();
  bank.epoch = 5;
  bank.refusesPlaces = true;
  await pass(PERIOD_MS);
  assert.equal(session.place, null);
  const before = bank.asked;
  await pass(10_000);
  assert.equal(bank.asked - before, 10);
  assert.deepEqual(types(), ['node_lost_its_place', 'node_not_registered'], 'it says so once');
  assert.equal(session.maySpend, false);
  bank.refusesPlaces = false;
  await pass(1_000);
  assert.equal(session.maySpend, true);
  assert.equal(types().at(-1), 'node_registered');
});

test('if it cannot look for lost nodes, it says so once, and once when it can again', async () => {
  const { bank, pass, events } = await open();
  bank.cannotReap = true;
  await pass(CONTACT_MS + 20_000);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['reap_failed'],
  );
  bank.cannotReap = false;
  await pass(10_000);
  assert.deepEqual(events.slice(1), [{ type: 'reaps_again', afterMs: 25_000 }]);
});

test('it declares others lost only after 30 s of unbroken contact', async () => {
  const { bank, pass, clock, events } = await open();
  bank.lost = [3];
  await pass(CONTACT_MS - PERIOD_MS);
  assert.deepEqual(bank.reaped, []);
  bank.isAway = true;
  await pass(PERIOD_MS);
  bank.isAway = false;
  await pass(CONTACT_MS);
  assert.deepEqual(bank.reaped, []);
  await pass(PERIOD_MS);
  assert.deepEqual(bank.reaped, [LOST_AFTER_MS]);
  assert.deepEqual(events.at(-1), { type: 'nodes_lost', slots: [3] });
  // Suspended: no pulse failed, and yet there was no contact.
  clock.advance(60_000);
  await nextTurn();
  const before = bank.reaped.length;
  await pass(CONTACT_MS - PERIOD_MS);
  assert.equal(bank.reaped.length, before);
});

test('the lag of the feed grows while pulses fail or their changes cannot be read', async () => {
  const { bank, session, follower, pass } = await open();
  await pass(PERIOD_MS);
  assert.equal(session.feedLagMs, 0);
  bank.isAway = true;
  await pass(1_000);
  assert.equal(session.feedLagMs, 1_000);
  const missed = session.catchUp();
  await pass(PERIOD_MS);
  assert.equal(await missed, false);
  bank.isAway = false;
  follower.isBroken = true;
  await pass(1_000);
  assert.equal(session.feedLagMs, 2_000 + PERIOD_MS);
  follower.isBroken = false;
  const caught = session.catchUp();
  await pass(PERIOD_MS);
  assert.equal(await caught, true);
});

test('the lag of the feed counts the time in which the machine was suspended, and no clock that was set back', async () => {
  const { session, clock, pass } = await open();
  await pass(PERIOD_MS);
  clock.stepWall(3_600_000);
  assert.equal(session.feedLagMs, 3_600_000);
  await pass(PERIOD_MS);
  assert.equal(session.feedLagMs, 0);
  clock.stepWall(-3_600_000);
  assert.equal(session.feedLagMs, 0);
});

test('more changes than a pulse brings are followed by another pulse at once', async () => {
  const { bank, follower, clock } = await open();
  follower.follow = async ({ changes, lastSeq }: Pick<Pulse, 'changes' | 'lastSeq'>) => {
    follower.seq = changes?.at(-1)?.seq ?? lastSeq;
    return true;
  };
  clock.advance(10);
  bank.lastSeq = 2;
  bank.changes = [{ seq: 1, at: 0, topic: 'key', id: '1' }];
  bank.wake();
  await nextTurn();
  bank.changes = [{ seq: 2, at: 0, topic: 'key', id: '1' }];
  clock.advance(10);
  await nextTurn();
  assert.equal(follower.seq, 2);
});

test('at the end it forwards, leaves, and pulses no more; with settlements left it keeps its place for the next start', async () => {
  for (const isForwarded of [true, false]) {
    const { bank, session, clock, types } = await open();
    bank.isForwarded = isForwarded;
    bank.unsent = { calls: 3, from: 41 };
    session.drain();
    clock.advance(PERIOD_MS);
    await nextTurn();
    assert.equal(bank.pulses.at(-1)?.isDraining, true);
    const end = await session.end();
    assert.deepEqual(
      end,
      isForwarded ? { forwarded: 3, unsent: 0, hasLeft: true } : { forwarded: 0, unsent: 3, hasLeft: false },
    );
    assert.equal(session.maySpend, false);
    assert.deepEqual(bank.left, isForwarded ? [{ slot: 1, epoch: 1 }] : []);
    assert.deepEqual(types(), isForwarded ? [] : ['settlements_not_forwarded']);
    const sent = bank.pulses.length;
    clock.advance(10 * PERIOD_MS);
    assert.equal(bank.pulses.length, sent);
    assert.equal(await session.catchUp(), false);
  }
});

test('a place that it cannot give up is reported as that', async () => {
  const { bank, session, events } = await open();
  bank.cannotLeave = true;
  assert.deepEqual(await session.end(), { forwarded: 0, unsent: 0, hasLeft: false });
  assert.deepEqual(
    events.map(({ type }) => type),
    ['node_did_not_leave'],
  );
});
