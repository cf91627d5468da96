/** Goal: of lines that are called again the first that is due is found, whatever their number. Method: the same steps with a plain list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_LINE, type LinePlace } from './line-reader.ts';
import { WaitingLines } from './waiting-lines.ts';

test('the first line that is due is found, after any steps', () => {
  const lines = new WaitingLines();
  const plain = new Map<number, number>();
  let state = 7;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let nowMs = 0; nowMs < 5_000; nowMs += 1) {
    const number = random(60);
    const dueAt = plain.get(number);
    if (random(2) === 0) {
      plain.set(number, nowMs + random(40));
      lines.add(placeOf(number), plain.get(number) as number);
    } else {
      const isDue = dueAt !== undefined && dueAt <= nowMs;
      assert.equal(lines.has(number), dueAt !== undefined);
      assert.equal(lines.take(number, nowMs), isDue);
      if (isDue) plain.delete(number);
    }
    const due = [...plain].filter(([, at]) => at <= nowMs).map(([each]) => each);
    assert.equal(lines.firstDue(nowMs)?.number ?? null, due.length === 0 ? null : Math.min(...due));
  }
});

test('a hundred thousand lines that wait take no longer than a few', { timeout: 20_000 }, () => {
  const lines = new WaitingLines();
  for (let number = 0; number < 100_000; number += 1) lines.add(placeOf(number), 1_000 + number);
  // Each step through all of them would take minutes.
  for (let nowMs = 1_000; nowMs < 101_000; nowMs += 1) {
    const first = lines.firstDue(nowMs);
    assert.equal(first?.number, nowMs - 1_000);
    assert.equal(lines.take(nowMs - 1_000, nowMs), true);
  }
  assert.equal(lines.firstDue(200_000), null);
});

function placeOf(number: number): LinePlace {
  return { ...FIRST_LINE, number };
}
