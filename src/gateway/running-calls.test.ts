/** Goal: the cap holds, and a drain waits for the grace and for what runs. Method: calls that are only counted, a clock that the test moves. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { Call } from './call.ts';
import { RunningCalls } from './running-calls.ts';

interface Counted {
  readonly call: Call;
  readonly cuts: string[];
}

function counted(): Counted {
  const cuts: string[] = [];
  return { call: { cut: (ending: string) => cuts.push(ending) } as unknown as Call, cuts };
}

function refusal(running: RunningCalls): string | null {
  try {
    running.enter(counted().call);
    return null;
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.ok((error.retryAfterSeconds ?? 0) > 0, 'a caller is told when to come back');
    return error.code;
  }
}

/** Whether a promise has settled once all that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test('as many calls run as may, and one that ends makes room', () => {
  const running = new RunningCalls(2);
  const first = counted();
  running.enter(first.call);
  running.enter(counted().call);
  assert.equal(running.count, 2);
  assert.equal(refusal(running), 'shedding');
  running.leave(first.call);
  assert.equal(refusal(running), null);
});

test('a call that never entered leaves nothing behind', () => {
  const running = new RunningCalls(1);
  running.leave(counted().call);
  assert.equal(running.count, 0);
});

describe('a drain', () => {
  const limits = { graceMs: 5_000, deadlineMs: 60_000 };

  test('is known at once, and takes calls through the grace', async () => {
    const [running, clock] = [new RunningCalls(10), new ManualClock()];
    assert.equal(running.draining, false);
    const drained = running.drain(clock, limits);
    assert.equal(running.draining, true);
    clock.advance(4_999);
    const late = counted();
    running.enter(late.call);
    clock.advance(1);
    assert.equal(refusal(running), 'draining');
    assert.equal(await isSettled(drained), false, 'one still runs');
    running.leave(late.call);
    assert.equal(await isSettled(drained), true);
    assert.deepEqual(late.cuts, []);
  });

  test('keeps the grace when nothing runs, and when the last call ends within it', async () => {
    const [running, clock] = [new RunningCalls(10), new ManualClock()];
    const early = counted();
    running.enter(early.call);
    const drained = running.drain(clock, limits);
    running.leave(early.call);
    assert.equal(await isSettled(drained), false);
    clock.advance(5_000);
    assert.equal(await isSettled(drained), true);
  });

  test('without a grace is over as soon as nothing runs', async () => {
    const running = new RunningCalls(10);
    assert.equal(await isSettled(running.drain(new ManualClock(), { graceMs: 0, deadlineMs: 1 })), true);
    assert.equal(refusal(running), 'draining');
  });

  test('cuts what runs at the deadline, each once, and waits until it has ended', async () => {
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
    assert.equal(calls[0]?.cuts.length, 1, 'its timers are gone');
  });

  test('ends its grace when there is no more time', async () => {
    const [running, clock] = [new RunningCalls(10), new ManualClock()];
    const drained = running.drain(clock, limits);
    running.cutAll();
    assert.equal(await isSettled(drained), true);
  });
});
