/** Goal: a refusal of memory says whose requests have it, or what the request would need. Method: shares taken by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import type { AccountId, KeyId } from '../../core/ids.ts';
import { MemoryBudget, type MemoryShare } from './memory-budget.ts';

const [KEY, SIBLING, OTHER] = [11 as KeyId, 12 as KeyId, 21 as KeyId];
const [OURS, THEIRS] = [1 as AccountId, 2 as AccountId];

function refusal(take: () => void): GatewayError {
  try {
    take();
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  return assert.fail('it was not refused');
}

function take(share: MemoryShare, bytes: number): MemoryShare {
  share.take(bytes);
  return share;
}

test('more than a key can ever have is 413 with what the request needs and what a key may have', () => {
  const share = take(new MemoryBudget(1000).open(OURS, KEY), 100);
  const error = refusal(() => share.take(151));
  assert.equal(error.code, 'request_too_large');
  assert.match(error.message, /needs at least 251 bytes of memory, and one key can use 250 /);
  assert.deepEqual(error.facts, { limit: 'limits.memoryBytes', needed: 251, most: 250 });
});

test('a refusal says whether the key, its account or other accounts have the memory', () => {
  const budget = new MemoryBudget(1000);
  const own = take(budget.open(OURS, KEY), 200);
  const cases = [
    [budget.open(OURS, KEY), 'key', /: other requests of this key use too much of it/],
    [budget.open(OURS, SIBLING), 'account', /: other requests of this account use too much of it/],
  ] as const;
  for (const [share, binding, message] of cases) {
    const error = refusal(() => share.take(200));
    assert.equal(error.code, 'overloaded');
    assert.match(error.message, message);
    assert.equal(error.facts?.['binding'], binding);
  }
  own.release();
  take(budget.open(THEIRS, OTHER), 250);
  assert.equal(refusal(() => budget.open(OURS, KEY).take(200)).facts?.['binding'], 'installation');
});

test('an answer that no share of an account could take is refused for good: the provider would only be asked again', () => {
  const share = new MemoryBudget(1000).open(OURS, KEY);
  share.takeForAnswer(400);
  const error = refusal(() => share.takeForAnswer(101));
  assert.deepEqual([error.code, error.retryAfterSeconds], ['bad_gateway', null]);
  share.takeForAnswer(100);
});

test('the refusal of an answer says so too', () => {
  const budget = new MemoryBudget(1000);
  const share = budget.open(OURS, KEY);
  share.takeForAnswer(400);
  const error = refusal(() => budget.open(OURS, SIBLING).takeForAnswer(200));
  assert.equal(error.facts?.['binding'], 'account');
});
