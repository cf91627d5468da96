/** Goal: sums cover the time asked for, whatever the pauses. Method: compared with a plain list of events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FAILED, GOOD, LIMITED, type OutcomeKind, OutcomeWindow, WINDOW_MS } from './outcome-window.ts';
import { RecentSamples } from './recent-samples.ts';

const SLOT_MS = 10_000;

test('outcomes are counted until they are five minutes old', () => {
  const window = new OutcomeWindow();
  window.add(1_000, GOOD);
  window.add(1_000, FAILED);
  window.add(25_000, LIMITED);
  assert.deepEqual(window.sums(26_000), { good: 1, failed: 1, limited: 1 });
  assert.deepEqual(window.sums(26_000, 10_000), { good: 0, failed: 0, limited: 1 });
  assert.deepEqual(window.sums(WINDOW_MS + SLOT_MS), { good: 0, failed: 0, limited: 1 });
  assert.deepEqual(window.sums(10 * WINDOW_MS), { good: 0, failed: 0, limited: 0 });
  window.add(10 * WINDOW_MS, GOOD);
  window.add(10 * WINDOW_MS, FAILED);
  window.forget(FAILED);
  assert.deepEqual(window.sums(10 * WINDOW_MS), { good: 1, failed: 0, limited: 0 });
});

test('sums equal those of a list, over any span and after any pause', () => {
  const step = fc.record({
    pause: fc.oneof(fc.integer({ min: 0, max: 3 * SLOT_MS }), fc.integer({ min: 0, max: 3 * WINDOW_MS })),
    kind: fc.constantFrom<OutcomeKind>(GOOD, FAILED, LIMITED),
    span: fc.integer({ min: 1, max: WINDOW_MS / SLOT_MS }).map((slots) => slots * SLOT_MS),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const window = new OutcomeWindow();
      const list: { at: number; kind: OutcomeKind }[] = [];
      let now = 0;
      for (const { pause, kind, span } of steps) {
        now += pause;
        window.add(now, kind);
        list.push({ at: now, kind });
        const first = Math.floor(now / SLOT_MS) - span / SLOT_MS + 1;
        const of = (wanted: OutcomeKind) =>
          list.filter((each) => each.kind === wanted && Math.floor(each.at / SLOT_MS) >= first).length;
        assert.deepEqual(window.sums(now, span), { good: of(GOOD), failed: of(FAILED), limited: of(LIMITED) });
      }
    }),
  );
});

test('a percentile is the nearest rank of the last 64 measurements', () => {
  const samples = new RecentSamples();
  assert.equal(samples.percentile(0.5), null);
  samples.add(7);
  assert.deepEqual([samples.percentile(0.5), samples.percentile(0.95)], [7, 7]);
  for (let value = 1; value <= 1_000; value += 1) samples.add(value);
  assert.deepEqual([samples.percentile(0.5), samples.percentile(0.95), samples.percentile(1)], [968, 997, 1000]);
});
