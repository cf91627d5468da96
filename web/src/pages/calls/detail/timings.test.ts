// Goal: what is drawn of a call's times stays within the whole. Method: a few calls by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptBars, speedOf } from './timings.ts';

const attempt = (duration_ms: number, start_ms: number | null = null) => ({
  provider: 'a',
  upstream_model: 'm',
  status: 200,
  error: null,
  reason: null,
  start_ms,
  end_ms: start_ms === null ? null : start_ms + duration_ms,
  duration_ms,
});

test('attempts are drawn one after the other, within the whole', () => {
  const bars = attemptBars({ duration_ms: 1000, attempts: [attempt(250), attempt(500)] });
  assert.deepEqual(
    bars.map(({ offset, width }) => [offset, width]),
    [
      [0, 25],
      [25, 50],
    ],
  );
  const longer = attemptBars({ duration_ms: 100, attempts: [attempt(150), attempt(50)] });
  assert.deepEqual(
    longer.map(({ offset, width }) => offset + width),
    [75, 100],
  );
});

test('attempts are drawn from when they began, if that is on record', () => {
  const bars = attemptBars({ duration_ms: 1000, attempts: [attempt(250, 100), attempt(500, 400)] });
  assert.deepEqual(
    bars.map(({ offset, width }) => [offset, width]),
    [
      [10, 25],
      [40, 50],
    ],
  );
});

test('a speed is shown for a stream that took some time', () => {
  const call = { streamed: true, first_byte_ms: 500, duration_ms: 2500, completion_tokens: 100 };
  assert.equal(speedOf(call), '50');
  assert.equal(speedOf({ ...call, streamed: false }), null);
  assert.equal(speedOf({ ...call, duration_ms: 510 }), null);
});
