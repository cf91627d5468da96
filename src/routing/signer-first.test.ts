/** Goal: a conversation goes on with the vendor whose thoughts it has, as long as there is one. Method: lists of candidates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { Candidate } from './candidate.ts';
import { onlySigner, signerFirst } from './signer-first.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((provider) => ({ target: { provider } }) as Candidate) as [
  Candidate,
  Candidate,
  Candidate,
  Candidate,
];
const all = [a, b, c, d];
const among =
  (...taking: readonly Candidate[]) =>
  (candidate: Candidate) =>
    taking.includes(candidate);

test('candidates that read the thoughts come first, both parts in their order, and the others are noted', () => {
  const noted: (readonly [string, string])[] = [];
  const note = (candidate: Candidate, reason: string) => noted.push([candidate.target.provider, reason]);
  assert.deepEqual(signerFirst(all, among(b, d), note), [b, d, a, c]);
  assert.deepEqual(noted, [
    ['a', 'kept_elsewhere'],
    ['c', 'kept_elsewhere'],
  ]);
});

test('the list stays the same object if nothing moves', () => {
  for (const takes of [among(), among(a), among(a, b), among(...all)]) assert.equal(signerFirst(all, takes, null), all);
});

test('a request that keeps its thoughts is sent to those that read them only', () => {
  assert.deepEqual(onlySigner(all, among(b, d), null), [b, d]);
  assert.equal(onlySigner(all, among(...all), null), all);
  assert.throws(
    () => onlySigner(all, among(), null),
    (error) => error instanceof GatewayError && error.code === 'model_unavailable' && error.status === 503,
  );
});
