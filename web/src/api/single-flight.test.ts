// Goal: a request made twice concurrently is sent once. Method: promises that are settled by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singleFlight } from './single-flight.ts';

test('while one runs, the second gets the promise of the first', async () => {
  const flight = singleFlight<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  const first = flight.run('a', () => promise);
  const second = flight.run('a', () => assert.fail('a second one was started'));
  assert.equal(first, second);
  resolve(1);
  assert.equal(await first, 1);
  assert.equal(await flight.run('a', async () => 2), 2);
});

test('another one does not wait', async () => {
  const flight = singleFlight<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  const first = flight.run('a', () => promise);
  assert.equal(await flight.run('b', async () => 2), 2);
  resolve(1);
  assert.equal(await first, 1);
});

test('a failed request may be retried', async () => {
  const flight = singleFlight<number>();
  await assert.rejects(flight.run('a', () => Promise.reject(new Error('no'))));
  assert.equal(await flight.run('a', async () => 2), 2);
});

test('a forgotten request blocks nothing, and ends without a trace', async () => {
  const flight = singleFlight<number>();
  const old = Promise.withResolvers<number>();
  const next = Promise.withResolvers<number>();
  flight.run('a', () => old.promise);
  flight.forget();
  const started = flight.run('a', () => next.promise);
  old.resolve(1);
  await old.promise;
  assert.equal(
    flight.run('a', () => assert.fail('a second one was started')),
    started,
  );
  next.resolve(2);
  await started;
});
