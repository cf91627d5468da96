/** Goal: one fetch at a time, nobody waits while a value is good, none is used after its end. Method: a clock and fetches that the test moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { Renewal, type Renewed, WAIT_MS } from './renewal.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

function open() {
  const clock = new ManualClock();
  const fetches: PromiseWithResolvers<Renewed<string>>[] = [];
  const renewal = new Renewal<string>({
    clock,
    fetch() {
      const fetch = Promise.withResolvers<Renewed<string>>();
      fetches.push(fetch);
      return fetch.promise;
    },
  });
  /** Answers the newest fetch. */
  const answer = async (value: string, lifetimeMs = HOUR) => {
    fetches.at(-1)?.resolve({ value, lifetimeMs });
    await turn();
  };
  const fail = async (error: unknown) => {
    fetches.at(-1)?.reject(error);
    await turn();
  };
  return { clock, fetches, renewal, answer, fail };
}

/** With a first value. */
async function opened() {
  const bench = open();
  const first = bench.renewal.current();
  await bench.answer('first');
  assert.equal(await first, 'first');
  return bench;
}

const isRejected = (value: unknown, code: string) =>
  assert.rejects(
    () => Promise.resolve(value),
    (error) => error instanceof GatewayError && error.code === code,
  );

test('a burst before the first value waits for one fetch', async () => {
  const { renewal, fetches, answer } = open();
  const burst = Array.from({ length: 50 }, () => renewal.current());
  assert.equal(fetches.length, 1);
  await answer('first');
  assert.deepEqual(new Set(await Promise.all(burst)), new Set(['first']));
  assert.equal(renewal.current(), 'first');
});

test('five minutes before its end a value is renewed, and calls go on with the old one', async () => {
  const { clock, renewal, fetches, answer } = await opened();
  clock.advance(HOUR - 5 * MINUTE - 1);
  assert.equal(renewal.current(), 'first');
  assert.equal(fetches.length, 1);
  clock.advance(1);
  for (let call = 0; call < 50; call += 1) assert.equal(renewal.current(), 'first');
  assert.equal(fetches.length, 2);
  await answer('second');
  assert.equal(renewal.current(), 'second');
});

test('a value with a short life is not renewed in the first half of it', async () => {
  const { clock, renewal, fetches, answer } = open();
  void renewal.current();
  await answer('first', 2 * MINUTE);
  clock.advance(MINUTE - 1);
  assert.equal(renewal.current(), 'first');
  assert.equal(fetches.length, 1);
});

test('a value that has ended is not used; a burst at that moment waits for one fetch', async () => {
  const { clock, renewal, fetches, answer } = await opened();
  clock.advance(HOUR);
  const burst = Array.from({ length: 50 }, () => renewal.current());
  assert.equal(fetches.length, 2);
  await answer('second');
  assert.deepEqual(new Set(await Promise.all(burst)), new Set(['second']));
});

test('while renewing fails, the old value is used up to its end, then calls fail', async () => {
  const { clock, renewal, fail } = await opened();
  clock.advance(HOUR - 4 * MINUTE);
  assert.equal(renewal.current(), 'first');
  await fail(new GatewayError('upstream_credential_rejected'));
  clock.advance(3 * MINUTE);
  assert.equal(renewal.current(), 'first');
  await fail(new GatewayError('upstream_credential_rejected'));
  clock.advance(MINUTE);
  const late = isRejected(renewal.current(), 'upstream_credential_rejected');
  await fail(new GatewayError('upstream_credential_rejected'));
  await late;
});

test('after a failure calls fail at once for a second, then it is tried again', async () => {
  const { clock, renewal, fetches, fail, answer } = open();
  const first = isRejected(renewal.current(), 'internal_error');
  await fail(new Error('a fault of ours'));
  await first;
  clock.advance(999);
  await isRejected(renewal.current(), 'internal_error');
  assert.equal(fetches.length, 1);
  clock.advance(1);
  const again = renewal.current();
  await answer('second');
  assert.equal(await again, 'second');
});

test('nobody waits longer than ten seconds; what comes later is kept for the next call', async () => {
  const { clock, renewal, answer, fetches } = open();
  const waiting = isRejected(renewal.current(), 'upstream_unreachable');
  clock.advance(WAIT_MS);
  await waiting;
  await answer('first');
  assert.equal(renewal.current(), 'first');
  assert.equal(fetches.length, 1);
});

test('a value whose life ended while it was fetched is not used', async () => {
  const { clock, renewal, answer, fetches } = open();
  const waiting = renewal.current();
  clock.advance(WAIT_MS - 1);
  await answer('first', 5000);
  await waiting;
  void Promise.resolve(renewal.current()).catch(() => undefined);
  assert.equal(fetches.length, 2);
});

test('a machine that slept, and a clock that was set forward, end a value', async () => {
  const { clock, renewal, fetches } = await opened();
  clock.stepWall(-HOUR);
  assert.equal(renewal.current(), 'first');
  clock.stepWall(3 * HOUR);
  assert.ok(renewal.current() instanceof Promise);
  assert.equal(fetches.length, 2);
});

test('a refused value is replaced once it is half a minute old', async () => {
  const { clock, renewal, fetches, answer } = await opened();
  assert.equal(renewal.drop('first'), false);
  assert.equal(renewal.current(), 'first');
  clock.advance(30_000);
  assert.equal(renewal.drop('first'), true);
  const next = renewal.current();
  await answer('second');
  assert.equal(await next, 'second');
  // Calls that were under way with the first value.
  assert.equal(renewal.drop('first'), true);
  assert.equal(renewal.current(), 'second');
  assert.equal(fetches.length, 2);
});
