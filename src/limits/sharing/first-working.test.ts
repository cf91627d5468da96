/** Goal: what fails is not waited for again and again, and what works again is found. Method: ways that fail on demand, and a manual clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { FirstWorking, type WayChange } from './first-working.ts';

function open(fails: Set<string>) {
  const clock = new ManualClock();
  const changes: WayChange[] = [];
  const used: string[] = [];
  const ways = new FirstWorking({
    ways: [{ name: 'good' }, { name: 'spare' }],
    clock,
    answerMs: 300,
    onChange: (change) => changes.push(change),
  });
  const attempt = () =>
    ways.attempt(async ({ name }) => {
      used.push(name);
      if (fails.has(name)) throw new Error(name);
      return name;
    });
  return { clock, changes, used, ways, attempt };
}

test('a way that does not answer in time is named by its server', async () => {
  const clock = new ManualClock();
  const changes: WayChange[] = [];
  const ways = [{ name: 'good', place: 'Valkey at cache:6379' }, { name: 'database' }];
  const parts = { ways, clock, answerMs: 300, onChange: (change: WayChange) => changes.push(change) };
  const attempted = new FirstWorking(parts).attempt(() => new Promise<never>(() => undefined));
  clock.advance(300);
  for (let turn = 0; changes.length === 0 && turn < 100; turn += 1) await Promise.resolve();
  clock.advance(300);
  assert.equal(await attempted, null);
  assert.deepEqual(
    changes.map(({ cause }) => (cause as Error).message),
    ['Valkey at cache:6379 did not answer within 300 ms', 'database did not answer within 300 ms'],
  );
});

test('the next way is used in the same attempt, and the first again after its rest', async () => {
  const fails = new Set(['good']);
  const { clock, changes, used, ways, attempt } = open(fails);
  assert.equal(await attempt(), 'spare');
  assert.equal(await attempt(), 'spare');
  assert.deepEqual(used, ['good', 'spare', 'spare']);
  assert.equal(ways.current?.name, 'spare');
  fails.clear();
  clock.advance(500);
  assert.equal(await attempt(), 'good');
  assert.deepEqual(
    changes.map(({ way, state }) => `${way} ${state}`),
    ['good failing', 'good good'],
  );
});

test('rests double up to ten seconds, and a failure is reported once', async () => {
  const { clock, changes, used, attempt, ways } = open(new Set(['good', 'spare']));
  for (let tenth = 0; tenth < 600; tenth += 1) {
    assert.equal(await attempt(), null);
    clock.advance(100);
  }
  // At 0, 0.5, 1.5, 3.5, 7.5 and 15.5 s, and then every 10 s.
  assert.equal(used.filter((name) => name === 'good').length, 10);
  assert.equal(changes.length, 2);
  assert.equal(ways.current, null);
});

test('one that works now and then rests as long as one that fails, and is reported once a minute', async () => {
  const fails = new Set(['good']);
  const { clock, changes, used, attempt } = open(fails);
  for (let tenth = 0; tenth < 6_000; tenth += 1) {
    await attempt();
    if (used.at(-1) === 'good') fails.add('good');
    else fails.delete('good');
    clock.advance(100);
  }
  const minutes = 10;
  const lines = Map.groupBy(changes, ({ state }) => state);
  for (const state of ['failing', 'good'] as const) {
    const count = lines.get(state)?.length ?? 0;
    assert.ok(count > 1 && count <= minutes + 1, `${count} times ${state}`);
  }
  const tried = used.filter((name) => name === 'good').length;
  assert.ok(tried < minutes * 20, `tried ${tried} times`);
});

test('one that works again is used as before once it has worked for a while', async () => {
  const fails = new Set(['good']);
  const { clock, changes, used, attempt } = open(fails);
  for (let second = 0; second < 30; second += 1) {
    await attempt();
    clock.advance(1_000);
  }
  fails.clear();
  for (let second = 0; second < 60; second += 1) {
    await attempt();
    clock.advance(1_000);
  }
  assert.equal(changes.at(-1)?.state, 'good');
  fails.add('good');
  await attempt();
  fails.clear();
  clock.advance(500);
  await attempt();
  assert.equal(used.at(-1), 'good', 'after the shortest rest');
  assert.equal(changes.filter(({ state }) => state === 'failing').length, 2);
});

test('one that never answers is passed over when its time is up', async () => {
  const clock = new ManualClock();
  const ways = new FirstWorking({
    ways: [{ name: 'hung' }, { name: 'spare' }],
    clock,
    answerMs: 300,
    onChange: () => undefined,
  });
  const attempt = ways.attempt(({ name }) =>
    name === 'hung' ? new Promise<string>(() => undefined) : Promise.resolve(name),
  );
  clock.advance(300);
  assert.equal(await attempt, 'spare');
});
