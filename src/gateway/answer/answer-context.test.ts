/** Goal: the cost in an answer is what the caller pays. Method: calls with a usage, a price and a hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIST_PRICES } from '../../billing/rates.ts';
import type { Target } from '../../catalog/model.ts';
import { nanoUsd, picoUsd } from '../../core/money.ts';
import { NO_USAGE } from '../../core/usage.ts';
import type { Asked } from '../phases.ts';
import { answerContext } from './answer-context.ts';

const TARGET = {
  upstreamModel: 'm',
  prices: { input: picoUsd(1_000_000n), output: picoUsd(5_000_000n), request: null, reasoning: null, tiers: [] },
} as unknown as Target;

function callWith(held: bigint): Asked {
  return {
    peek: { model: 'vendor/m' },
    target: TARGET,
    candidate: { model: { id: 'vendor/m' }, target: TARGET, own: null },
    rates: LIST_PRICES,
    meter: {
      usage: () => ({ ...NO_USAGE, inputTokens: 100, outputTokens: 100 }),
      reported: () => 'all',
      delivered: () => ({ outputBytes: 400, outputTokens: null }),
    },
    hold: { amount: nanoUsd(held), recorded: nanoUsd(held), outputCap: null },
  } as unknown as Asked;
}

test('the cost in an answer is that of its usage', () => {
  assert.equal(answerContext(callWith(1_000_000n), TARGET).cost(), '0.0006');
});

test('the cost in an answer does not exceed the hold; the operator absorbs the rest', () => {
  assert.equal(answerContext(callWith(400_000n), TARGET).cost(), '0.0004');
});

test('a model without a price has no cost', () => {
  const free = { ...TARGET, prices: null };
  assert.equal(answerContext({ ...callWith(0n), target: free } as Asked, free).cost(), null);
});

test('no cost is reported for a usage of zeros if there is an answer', () => {
  const call = callWith(1_000_000n);
  const meter = { ...call.meter, usage: () => NO_USAGE };
  assert.equal(answerContext({ ...call, meter } as Asked, TARGET).cost(), null);
});

test('no cost is reported for a partial usage', () => {
  const call = callWith(1_000_000n);
  for (const reported of ['prompt', 'output', 'none']) {
    const meter = { ...call.meter, reported: () => reported };
    assert.equal(answerContext({ ...call, meter } as Asked, TARGET).cost(), null, reported);
  }
});
