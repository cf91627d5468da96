/** Goal: people find out what was refused, and a flood needs no additional memory. Method: the class by itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, keyId, projectId } from '../core/ids.ts';
import { type Refusal, Refusals } from './refusals.ts';

const refusal = (at: number, account = 1, key = 1): Refusal => ({
  at,
  accountId: accountId(account),
  projectId: projectId(1),
  keyId: keyId(key),
  model: 'acme/large',
  status: 429,
  code: 'rate_limit_exceeded',
  requestId: `req_${at}`,
});

test('refusals of an account are listed newest first, and can be filtered by key', () => {
  const refusals = new Refusals();
  for (const each of [refusal(1), refusal(2, 1, 2), refusal(3, 2), refusal(4)]) refusals.note(each);
  const times = (found: readonly Refusal[]) => found.map(({ at }) => at);
  assert.deepEqual(times(refusals.of(accountId(1))), [4, 2, 1]);
  assert.deepEqual(times(refusals.of(accountId(1), keyId(2))), [2]);
  assert.deepEqual(times(refusals.of(accountId(3))), []);
});

test('the order is that of the times, then of the ids, in whichever order they were learned', () => {
  const same = { ...refusal(3), requestId: 'req_a' };
  const made = [refusal(1), same, refusal(3), refusal(2)];
  for (const order of [made, made.toReversed(), [made[3], made[1], made[0], made[2]] as Refusal[]]) {
    const refusals = new Refusals();
    for (const each of order) refusals.learn(each);
    const ids = refusals.of(accountId(1)).map(({ requestId }) => requestId);
    assert.deepEqual(ids, ['req_a', 'req_3', 'req_2', 'req_1']);
  }
});

test('what is learned late displaces what is older, and nothing that is newer', () => {
  const refusals = new Refusals();
  for (let at = 101; at <= 200; at += 1) refusals.note(refusal(at));
  refusals.learn(refusal(5));
  refusals.learn(refusal(150.5));
  const times = refusals.of(accountId(1)).map(({ at }) => at);
  assert.deepEqual([times.length, times[0], times.at(-1), times.includes(150.5)], [100, 200, 102, true]);
});

test('a flood displaces the oldest refusals of its own account only', () => {
  const refusals = new Refusals();
  refusals.note(refusal(0, 2));
  for (let at = 1; at <= 1_000; at += 1) refusals.note(refusal(at));
  assert.equal(refusals.of(accountId(1)).length, 100);
  assert.equal(refusals.of(accountId(1))[0]?.at, 1_000);
  assert.equal(refusals.of(accountId(2)).length, 1);
});

test('with very many accounts, the one whose last refusal is oldest is forgotten', () => {
  const refusals = new Refusals();
  for (let account = 1; account <= 1_000; account += 1) refusals.note(refusal(account, account));
  refusals.note(refusal(2_000, 1));
  refusals.note(refusal(2_001, 1_001));
  assert.equal(refusals.of(accountId(1)).length, 2);
  assert.equal(refusals.of(accountId(2)).length, 0);
  assert.equal(refusals.of(accountId(1_001)).length, 1);
});
