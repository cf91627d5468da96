/** Goal: figures of the last streams, within ten minutes, that are cheap to read. Method: made-up samples at made-up times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaceSamples } from './pace-samples.ts';

test('the median and the 95th percentile are those of the last 64 streams', () => {
  const samples = new PaceSamples();
  assert.equal(samples.read(0), null);
  for (let each = 1; each <= 100; each += 1) samples.add(each, 1_000 + each, each);
  // 37 to 100 are left.
  assert.deepEqual(samples.read(100), { firstTokenMs: 1_068, firstTokenP95Ms: 1_097, tokensPerSecond: 68 });
});

test('streams of more than ten minutes ago no longer count', () => {
  const samples = new PaceSamples();
  samples.add(0, 500, 10);
  samples.add(300_000, 100, 90);
  assert.equal(samples.read(400_000)?.firstTokenMs, 100);
  assert.equal(samples.read(599_000)?.firstTokenP95Ms, 500);
  assert.deepEqual(samples.read(600_000), { firstTokenMs: 100, firstTokenP95Ms: 100, tokensPerSecond: 90 });
  assert.equal(samples.read(900_001), null);
});

test('figures are computed once a second at most, and the first sample is seen at once', () => {
  const samples = new PaceSamples();
  assert.equal(samples.read(0), null);
  samples.add(1, 500, 10);
  const first = samples.read(1);
  assert.equal(first?.firstTokenMs, 500);
  samples.add(2, 100, 10);
  assert.equal(samples.read(3), first);
  assert.equal(samples.read(1_001)?.firstTokenMs, 100);
});
