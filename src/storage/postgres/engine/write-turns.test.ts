/**
 * Goal: changes wait fairly: nobody waits for the many changes of another, and revocations come first, but not for ever. Method: turns that
 * the test ends itself, a manual clock.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../core/clock.ts';
import type { ChangeTurn } from '../../../core/transactions.ts';
import { DatabaseBusy } from './postgres-errors.ts';
import { WriteTurns } from './write-turns.ts';

/** Takes a turn first, so that all others wait; returns the order in which these get theirs. */
async function orderOf(waiting: readonly (readonly [name: string, turn: ChangeTurn])[]): Promise<readonly string[]> {
  const turns = new WriteTurns(1_000, new ManualClock());
  const endFirst = await turns.take(of('first'));
  const order: string[] = [];
  const all = waiting.map(async ([name, turn]) => {
    const end = await turns.take(turn);
    order.push(name);
    end();
  });
  endFirst();
  await Promise.all(all);
  return order;
}

function of(by: string, isUrgent = false): ChangeTurn {
  return { by, isUrgent };
}

test('whoever asks has a line of their own, and the lines take turns', async () => {
  const order = await orderOf([
    ['a1', of('a')],
    ['a2', of('a')],
    ['a3', of('a')],
    ['b1', of('b')],
    ['c1', of('c')],
    ['b2', of('b')],
  ]);
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a revocation comes before a thousand other changes, whoever sent them', async () => {
  const flood = Array.from({ length: 1_000 }, (_, index) => [`a${index}`, of('a')] as const);
  const order = await orderOf([...flood, ['of a', of('a', true)], ['of b', of('b', true)]]);
  assert.deepEqual(order.slice(0, 3), ['of a', 'of b', 'a0']);
});

test('revocations hold up the others by eight at a time', async () => {
  const flood = Array.from({ length: 20 }, (_, index) => [`urgent${index}`, of('a', true)] as const);
  const order = await orderOf([...flood, ['b1', of('b')], ['b2', of('b')]]);
  assert.deepEqual([order.indexOf('b1'), order.indexOf('b2')], [8, 17]);
});

test('what has waited too long is trouble, and its turn is not missed by those after it', async () => {
  const clock = new ManualClock();
  const turns = new WriteTurns(1_000, clock);
  const end = await turns.take(of('first'));
  const late = turns.take(of('a'));
  const refused = assert.rejects(late, DatabaseBusy);
  clock.advance(1_000);
  await refused;
  const next = turns.take(of('a'));
  end();
  (await next)();
  (await turns.take(of('b')))();
});
