/** Goal: what is kept is bounded in bytes and time, shared fairly between projects, and never another project's. Method: a clock by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { accountId, newCallId, projectId } from '../core/ids.ts';
import { nanoUsd } from '../core/money.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { ANSWER_BYTES_MAX } from './recording.ts';
import { ResponseCache } from './response-cache.ts';

const [ACME, OTHER] = [projectId(1), projectId(2)];
/** Each project has an account of its own, if the test does not say whose it is. */
const of = (project: typeof ACME, account: number = project) => ({ accountId: accountId(account), projectId: project });
const KIB = 1024;
const MINUTE_MS = 60_000;

function answer(bytes: number, form = 'whole'): KeptAnswer {
  return {
    callId: newCallId(1),
    model: 'acme/large',
    provider: 'acme',
    priceVersion: null,
    charge: nanoUsd(7n),
    warnings: [],
    form,
    body: Buffer.alloc(bytes, 'a'),
  };
}

function open(bytesMax: number) {
  const clock = new ManualClock();
  const cache = new ResponseCache({ bytesMax, clock });
  const keep = (project: typeof ACME, key: string, bytes: number, form = 'whole', account?: number) =>
    cache.record(of(project, account), key, MINUTE_MS).end(answer(bytes, form));
  const has = (project: typeof ACME, key: string, form = 'whole') => cache.find(project, key, form, MINUTE_MS) !== null;
  return { clock, cache, keep, has };
}

test('an answer is found by its project, key and form, until it is too old for the caller or for itself', () => {
  const { clock, cache, keep, has } = open(64 * KIB);
  keep(ACME, 'k', 10);
  assert.ok(has(ACME, 'k'));
  assert.ok(!has(OTHER, 'k'));
  assert.ok(!has(ACME, 'another'));
  assert.ok(!has(ACME, 'k', 'events'));
  assert.equal(cache.findOther(ACME, 'k', 'events', MINUTE_MS)?.answer.form, 'whole');
  clock.advance(2_000);
  assert.equal(cache.find(ACME, 'k', 'whole', 2_000)?.ageMs, 2_000);
  assert.equal(cache.find(ACME, 'k', 'whole', 1_999), null);
  clock.advance(MINUTE_MS - 2_000);
  assert.equal(cache.find(ACME, 'k', 'whole', 2 * MINUTE_MS), null);
  assert.equal(cache.bytes, 0);
});

test('too many answers of one project push out its own, the one used longest ago first', () => {
  const { cache, keep, has } = open(20 * KIB);
  keep(OTHER, 'theirs', KIB);
  for (const key of ['a', 'b', 'c', 'd']) keep(ACME, key, 3 * KIB);
  assert.ok(has(ACME, 'a'));
  keep(ACME, 'e', 3 * KIB);
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map((key) => has(ACME, key)),
    [true, false, true, true, true],
  );
  assert.ok(has(OTHER, 'theirs'));
  assert.ok(cache.bytes <= 20 * KIB);
});

test('a new answer replaces the one in the same form, and no bytes are lost count of', () => {
  const { cache, keep } = open(64 * KIB);
  keep(ACME, 'k', 100);
  keep(ACME, 'k', 200);
  const one = cache.bytes;
  keep(ACME, 'k', 200, 'events');
  assert.equal(cache.bytes, 2 * one);
  assert.equal(cache.find(ACME, 'k', 'whole', MINUTE_MS)?.answer.body.length, 200);
});

test('an answer that does not fit is not kept, and nothing else is dropped for it', () => {
  const { keep, has } = open(4 * KIB);
  keep(ACME, 'small', 100);
  keep(ACME, 'large', 4 * KIB);
  assert.ok(has(ACME, 'small'));
  assert.ok(!has(ACME, 'large'));
});

test('what is recorded is bounded, per answer and together, and given back', () => {
  const { cache } = open(64 * 1024 * KIB);
  const recording = cache.record(of(ACME), 'k', MINUTE_MS);
  const piece = Buffer.alloc(64 * KIB);
  for (let bytes = 0; bytes < ANSWER_BYTES_MAX; bytes += piece.length) recording.add(piece);
  assert.equal(recording.bytes?.length, ANSWER_BYTES_MAX);
  recording.add(Buffer.of(1));
  assert.equal(recording.bytes, null);
  assert.equal(cache.recordingBytes, 0);

  const many = Array.from({ length: 8 }, (_, index) => cache.record(of(ACME), `m${index}`, MINUTE_MS));
  for (const each of many) each.add(Buffer.alloc(ANSWER_BYTES_MAX));
  assert.equal(many.filter(({ bytes }) => bytes !== null).length, 4, 'a quarter of the space');
  for (const each of many) each.end(null);
  assert.equal(cache.recordingBytes, 0);
  assert.equal(cache.bytes, 0);
});

test('a recording is copied: what is written over later does not change it', () => {
  const { cache } = open(64 * KIB);
  const recording = cache.record(of(ACME), 'k', MINUTE_MS);
  const shared = Buffer.from('first');
  recording.add(shared);
  shared.fill('x');
  recording.add(Buffer.from(' second'));
  assert.equal(String(recording.bytes), 'first second');
});

test('others wait for the first call of a key, and know when it has ended', async () => {
  const { cache } = open(64 * KIB);
  const first = cache.record(of(ACME), 'k', MINUTE_MS);
  const second = cache.record(of(ACME), 'k', MINUTE_MS);
  assert.equal(cache.runningWith('k'), first);
  second.end(null);
  assert.equal(cache.runningWith('k'), first);
  first.end(answer(10));
  await first.over;
  assert.equal(cache.runningWith('k'), null);
  first.end(answer(20));
  assert.equal(cache.find(ACME, 'k', 'whole', MINUTE_MS)?.answer.body.length, 10);
});

test('an account with many projects loses its own answers, not those of an account with one', () => {
  const { keep, has } = open(64 * KIB);
  for (let key = 0; key < 10; key += 1) keep(OTHER, `theirs ${key}`, 2 * KIB);
  for (let project = 100; project < 400; project += 1) keep(projectId(project), 'k', KIB, 'whole', 1);
  assert.ok(Array.from({ length: 10 }, (_, key) => has(OTHER, `theirs ${key}`)).every(Boolean));
  assert.ok(has(projectId(399), 'k'));
});

test('of an account’s projects, the one with the most loses answers', () => {
  const { keep, has } = open(20 * KIB);
  keep(OTHER, 'one', 3 * KIB, 'whole', 1);
  for (const key of ['a', 'b', 'c', 'd', 'e']) keep(ACME, key, 3 * KIB, 'whole', 1);
  assert.deepEqual([has(OTHER, 'one'), has(ACME, 'a'), has(ACME, 'b'), has(ACME, 'e')], [true, false, true, true]);
});
