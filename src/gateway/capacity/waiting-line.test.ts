/**
 * Goal: a place that becomes free is used at once, first by those who have few calls; and nobody waits long for one. Method: calls that
 * are only counted, a clock that the test moves, and five times as much as the places can serve.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import { type RunningCall, RunningCalls } from './running-calls.ts';
import type { WaitingCall } from './waiting-line.ts';

type Counted = Parameters<RunningCalls['enter']>[0];
interface Key {
  readonly id: number;
  readonly accountId: number;
}

const PLACES = 64;
const WAIT_MS = 10;

function call(key: Key): Counted & WaitingCall {
  const made = { index: NO_INDEX, key, share: null, arriving: null, active: null, waiting: null, cancel() {} };
  return made as unknown as RunningCall & { readonly key: object };
}

/** Enters with its whole request; what became of it, or will. */
function offer(running: RunningCalls, key: Key): { readonly call: Counted; readonly outcome: Promise<string> } {
  const made = call(key);
  const entered = async (): Promise<string> => {
    try {
      running.enter(made);
      if (made.waiting !== null) await made.waiting;
      running.arrived(made);
      return 'runs';
    } catch (error) {
      return (error as { code?: string }).code ?? (error as Error).name;
    }
  };
  return { call: made, outcome: entered() };
}

async function full(clock: ManualClock) {
  const running = new RunningCalls(PLACES, { clock });
  const greedy = { id: 1, accountId: 1 };
  const calls: Counted[] = [];
  for (let number = 0; number < PLACES - 2; number += 1) {
    const { call: one, outcome } = offer(running, greedy);
    assert.equal(await outcome, 'runs');
    calls.push(one);
  }
  return { running, greedy, calls };
}

test('a call that finds no place gets the next one that becomes free', async () => {
  const { running, greedy, calls } = await full(new ManualClock());
  const waiting = offer(running, greedy);
  assert.equal(running.waiting, 1);
  assert.equal(running.count, PLACES - 2);
  running.leave(calls[0] as Counted);
  assert.equal(await waiting.outcome, 'runs');
  assert.equal(running.waiting, 0);
  assert.equal(running.count, PLACES - 2);
});

test('who has few calls goes first', async () => {
  const { running, greedy, calls } = await full(new ManualClock());
  for (const id of [2, 3]) assert.equal(await offer(running, { id, accountId: id === 2 ? 1 : 3 }).outcome, 'runs');
  const order: string[] = [];
  void offer(running, greedy).outcome.then(() => order.push('greedy'));
  const modest = offer(running, { id: 4, accountId: 2 });
  void modest.outcome.then(() => order.push('modest'));
  assert.equal(running.waiting, 2);
  for (let ended = 0; order.length < 2; ended += 1) {
    running.leave(calls[ended] as Counted);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(order, ['modest', 'greedy']);
});

test('a call waits for a moment only, and few do at a time', async () => {
  const clock = new ManualClock();
  const { running, greedy } = await full(clock);
  const waiting = offer(running, greedy);
  const others = Array.from({ length: 20 }, () => offer(running, greedy));
  const atOnce = running.load.view.shed.get('in_flight') ?? 0;
  assert.ok(atOnce >= 15, `${atOnce} of 20 were refused at once`);
  clock.advance(WAIT_MS + 2);
  assert.equal(await waiting.outcome, 'overloaded');
  for (const { outcome } of others) assert.equal(await outcome, 'overloaded');
  assert.equal(running.waiting, 0);
  assert.equal(running.load.view.shed.get('in_flight'), 21);
});

test('a caller that leaves, and a shutdown, end the wait', async () => {
  const { running, greedy } = await full(new ManualClock());
  const [left, drained] = [offer(running, greedy), offer(running, greedy)];
  left.call.active?.cancel('caller_left');
  assert.equal(await left.outcome, 'CallerLeft');
  assert.equal(running.waiting, 1);
  running.cutAll();
  assert.equal(await drained.outcome, 'draining');
  assert.equal(running.waiting, 0);
});

test('a gateway with few places lets nobody wait', async () => {
  const running = new RunningCalls(2);
  for (const id of [1, 2]) assert.equal(await offer(running, { id, accountId: id }).outcome, 'runs');
  assert.throws(() => running.enter(call({ id: 3, accountId: 3 })), { code: 'overloaded' });
});

test('under five times as much as can be served the places stay full, and a modest key is served', async () => {
  const clock = new ManualClock();
  const running = new RunningCalls(PLACES, { clock });
  const turnMs = 3;
  const answerMs = 50;
  const possible = PLACES / answerMs;
  const keys = [4, 0.9, 0.1].map((part, at) => ({ id: at, accountId: 1, perTurn: part * possible * turnMs }));
  const chance = numbers();
  const figures = keys.map(() => ({ offered: 0, served: 0 }));
  let ends: { readonly atMs: number; readonly call: Counted }[] = [];
  let sum = 0;
  const turns = 2_000;
  for (let turn = 0; turn < turns; turn += 1) {
    const coming = keys.flatMap((key, at) => Array.from({ length: poisson(key.perTurn, chance()) }, () => at));
    for (const at of shuffled(coming, chance)) {
      const [key, figure] = [keys[at], figures[at]];
      assert.ok(key !== undefined && figure !== undefined);
      const { call: one, outcome } = offer(running, key);
      figure.offered += 1;
      void outcome.then((what) => {
        if (what !== 'runs') return;
        figure.served += 1;
        ends.push({ atMs: clock.monotonic() + answerMs, call: one });
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(turnMs);
    const over = ends.filter(({ atMs }) => atMs <= clock.monotonic());
    ends = ends.filter(({ atMs }) => atMs > clock.monotonic());
    for (const { call: one } of over) running.leave(one);
    sum += running.count;
  }
  const served = figures.reduce((all, figure) => all + figure.served, 0);
  const part = served / (possible * turns * turnMs);
  assert.ok(part >= 0.9, `${(100 * part).toFixed(1)} % of what is possible was served`);
  assert.ok(sum / turns >= 0.88 * PLACES, `${(sum / turns).toFixed(1)} ran in the mean`);
  const [, , modest] = figures;
  assert.ok(modest !== undefined && modest.served >= 0.97 * modest.offered, JSON.stringify(modest));
});

/** Numbers from 0 to 1, the same in every run. */
function numbers(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** How many come if so many come in the mean, by a number from 0 to 1. */
function poisson(mean: number, number: number): number {
  let count = 0;
  let term = Math.exp(-mean);
  for (let sum = term; number > sum && count < 10 * mean + 10; sum += term) {
    count += 1;
    term *= mean / count;
  }
  return count;
}

function shuffled(items: readonly number[], chance: () => number): number[] {
  return items
    .map((item) => ({ item, at: chance() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
