/**
 * Goal: the cap is enforced, and a drain waits for the grace period and for running calls. Method: calls that are only
 * counted, a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { type RunningCall, RunningCalls } from './running-calls.ts';

interface Counted {
  readonly call: RunningCall & { readonly key: object };
  readonly cuts: string[];
}

/** By default with a separate key in a separate account. */
function counted(key: { readonly id: number; readonly accountId: number } = newKey()): Counted {
  const cuts: string[] = [];
  const cancel = (ending: string) => cuts.push(ending);
  return { call: { key, share: null, arriving: null, cancel } as unknown as Counted['call'], cuts };
}

let people = 0;
function newKey() {
  people += 1;
  return { id: people, accountId: people };
}

/** Enters, and its request arrives immediately. */
function enter(running: RunningCalls, call: Counted['call']): void {
  running.enter(call);
  running.arrived(call);
}

function refusal(running: RunningCalls): string | null {
  try {
    enter(running, counted().call);
    return null;
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.ok((error.retryAfterSeconds ?? 0) > 0, 'the error says when to retry');
    return error.code;
  }
}

/** Whether a promise has settled after pending callbacks have run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test('calls run up to the maximum, and one that ends frees a slot', () => {
  const running = new RunningCalls(2);
  const first = counted();
  enter(running, first.call);
  enter(running, counted().call);
  assert.equal(running.count, 2);
  assert.equal(refusal(running), 'overloaded');
  running.leave(first.call);
  assert.equal(refusal(running), null);
});

describe('requests that are still arriving', () => {
  const greedy = { id: 900, accountId: 900 };

  test('take only their key’s share of the slots, however many it sends', () => {
    const running = new RunningCalls(64);
    let entered = 0;
    let code: string | null = null;
    while (code === null && entered < 64) {
      try {
        running.enter(counted(greedy).call);
        entered += 1;
      } catch (error) {
        assert.ok(error instanceof GatewayError);
        code = error.code;
      }
    }
    assert.equal(entered, 16);
    assert.equal(code, 'overloaded');
    running.enter(counted().call);
  });

  test('free a slot for the next of their key when they are complete, or have left', () => {
    const running = new RunningCalls(8);
    const [first, second, third] = [counted(greedy), counted(greedy), counted(greedy)];
    running.enter(first.call);
    running.enter(second.call);
    assert.throws(() => running.enter(third.call), { code: 'overloaded' });
    running.arrived(first.call);
    running.enter(third.call);
    running.leave(second.call);
    running.enter(counted(greedy).call);
    assert.equal(running.count, 3);
  });
});

test('a refusal says what is lacking and whose share is used up, and is counted', () => {
  const running = new RunningCalls(64, { clock: new ManualClock() });
  const greedy = { id: 900, accountId: 900 };
  const refusals: unknown[] = [];
  for (let call = 0; call < 70; call += 1) {
    try {
      enter(running, counted(greedy).call);
    } catch (error) {
      refusals.push((error as GatewayError).facts);
    }
  }
  assert.equal(running.count, 62);
  assert.deepEqual(refusals[0], { shortage: 'in_flight', binding: 'key', limit: 'limits.inFlightMax' });
  assert.equal(running.waiting, 2);
  assert.equal(running.load.view.shed.get('in_flight'), 6);
  enter(running, counted().call);
  enter(running, counted().call);
  for (let waiting = 0; waiting < 8; waiting += 1) enter(running, counted().call);
  assert.equal(running.count, 64);
  assert.equal(running.waiting, 10);
  assert.equal(refusal(running), 'overloaded');
});

test('an overload sheds calls before they take a slot', () => {
  const clock = new ManualClock();
  const measures = { loopDelayMs: () => 900, memoryUse: () => 0 };
  const running = new RunningCalls(100, { clock, measures, limits: { loopDelayMs: 100 } });
  for (let window = 0; window < 2; window += 1) {
    const call = counted();
    enter(running, call.call);
    running.leave(call.call);
    clock.advance(500);
  }
  assert.equal(refusal(running), 'overloaded');
  assert.equal(running.count, 0);
});

test('other limits apply to new calls; those that run go on', () => {
  const running = new RunningCalls(4);
  const calls = [counted(), counted(), counted(), counted()];
  for (const { call } of calls) running.enter(call);
  running.setLimits(2, { loopDelayMs: 100 });
  assert.equal(refusal(running), 'overloaded');
  for (const { call } of calls.slice(0, 3)) running.leave(call);
  assert.equal(refusal(running), null);
  assert.equal(running.max, 2);
});

test('a call that never entered has no effect when it leaves', () => {
  const running = new RunningCalls(1);
  running.leave(counted().call);
  assert.equal(running.count, 0);
});

describe('a drain', () => {
  const limits = { graceMs: 5_000, deadlineMs: 60_000 };

  test('is reported immediately, and accepts calls during the grace period', async () => {
    const [running, clock] = [new RunningCalls(10), new ManualClock()];
    assert.equal(running.draining, false);
    const drained = running.drain(clock, limits);
    assert.equal(running.draining, true);
    clock.advance(4_999);
    const late = counted();
    enter(running, late.call);
    clock.advance(1);
    assert.equal(refusal(running), 'draining');
    assert.equal(await isSettled(drained), false, 'one still runs');
    running.leave(late.call);
    assert.equal(await isSettled(drained), true);
    assert.deepEqual(late.cuts, []);
  });

  test('lasts for the grace period even if nothing runs, or the last call ends within it', async () => {
    const [running, clock] = [new RunningCalls(10), new ManualClock()];
    const early = counted();
    enter(running, early.call);
    const drained = running.drain(clock, limits);
    running.leave(early.call);
    assert.equal(await isSettled(drained), false);
    clock.advance(5_000);
    assert.equal(await isSettled(drained), true);
  });

  test('without a grace period ends as soon as nothing runs', async () => {
    const running = new RunningCalls(10);
    assert.equal(await isSettled(running.drain(new ManualClock(), { graceMs: 0, deadlineMs: 1 })), true);
    assert.equal(refusal(running), 'draining');
  });

  test('cuts off running calls at the deadline, each once, and waits until they have ended', async () => {
    const [running, clock] = [new RunningCalls(10), new ManualClock()];
    const calls = [counted(), counted()];
    for (const { call } of calls) running.enter(call);
    const drained = running.drain(clock, limits);
    clock.advance(60_000);
    assert.deepEqual(
      calls.map(({ cuts }) => cuts),
      [['drained'], ['drained']],
    );
    assert.equal(await isSettled(drained), false);
    for (const { call } of calls) running.leave(call);
    assert.equal(await isSettled(drained), true);
    clock.advance(600_000);
    assert.equal(calls[0]?.cuts.length, 1, 'its timers are cancelled');
  });

  test('ends its grace period when there is no more time', async () => {
    const [running, clock] = [new RunningCalls(10), new ManualClock()];
    const drained = running.drain(clock, limits);
    running.cutAll();
    assert.equal(await isSettled(drained), true);
  });
});
