/** Goal: percentiles are close to the exact ones, counts are exact, and wider buckets of earlier versions are added up with the others. Method: durations of all sizes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUCKETS, bucketOf, LatencyBuckets } from './latency-buckets.ts';

test('a duration is reported with an error of at most 1.3 %', () => {
  for (let ms = 0.02; ms < 1_700_000; ms *= 1.0037) {
    const { calls, p50Ms } = of([[bucketOf(ms), 1]]);
    assert.equal(calls, 1);
    // The resolution is a hundredth of a millisecond.
    const off = Math.abs((p50Ms ?? 0) - ms) - 0.005;
    assert.ok(off <= 0.013 * ms, `${p50Ms} is reported for ${ms}`);
  }
});

test('every duration has a bucket number within the range', () => {
  for (const ms of [0, 0.001, 0.01, 0.0101, 1, 1e9, Number.MAX_VALUE]) {
    const number = bucketOf(ms) - BUCKETS.first;
    assert.ok(Number.isInteger(number) && number >= 0 && number < BUCKETS.count, `${ms}`);
  }
});

test('the percentiles of a distribution are close to the exact ones', () => {
  const times = Array.from({ length: 5_000 }, (_, index) => 200 * Math.exp(Math.sin(index * 1.7) + (index % 7) / 9));
  const { calls, p50Ms, p95Ms } = of(times.map((ms) => [bucketOf(ms), 1]));
  assert.equal(calls, times.length);
  times.sort((left, right) => left - right);
  for (const [reported, part] of [
    [p50Ms, 0.5],
    [p95Ms, 0.95],
  ] as const) {
    const exact = times[Math.ceil(part * times.length) - 1] as number;
    assert.ok(reported !== null && Math.abs(reported - exact) <= 0.013 * exact, `${reported} is reported for ${exact}`);
  }
});

test('wider buckets of earlier versions keep their meaning, and are counted with the others', () => {
  // 1.1^70 ms is 789 ms: bucket 70 was between 717 and 789 ms.
  const before = of([[70, 3]]);
  assert.equal(before.calls, 3);
  for (const end of [1.1 ** 69, 1.1 ** 70]) assert.ok(Math.abs((before.p50Ms ?? 0) - end) <= 0.05 * end);
  assert.deepEqual(
    of([
      [-48, 1],
      [152, 1],
    ]).calls,
    2,
  );
  const both = of([
    [70, 3],
    [bucketOf(100), 3],
    [bucketOf(5_000), 1],
  ]);
  assert.equal(both.calls, 7);
  assert.equal(both.p50Ms, before.p50Ms);
  assert.ok(Math.abs((both.p95Ms ?? 0) - 5_000) <= 65);
});

test('without calls there are no percentiles', () => {
  assert.deepEqual(of([]), { calls: 0, p50Ms: null, p95Ms: null });
});

function of(buckets: readonly (readonly [number, number])[]) {
  const sums = new LatencyBuckets();
  for (const [bucket, calls] of buckets) sums.add(bucket, calls);
  return sums.percentiles();
}
