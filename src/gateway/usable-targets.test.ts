/** Goal: a call goes only where it can be priced and understood, and is told why not. Method: tables of targets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prices, Target } from '../catalog/model.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { pricedTargets, understandingTargets } from './usable-targets.ts';

function target(provider: string, dialects: readonly DialectName[], isPriced = true): Target {
  return { provider, dialects, prices: isPriced ? ({} as Prices) : null } as Target;
}

const openai = target('a', ['openai-chat']);
const anthropic = target('b', ['anthropic-messages']);
const both = target('c', ['openai-chat', 'anthropic-messages']);
const unpriced = target('d', ['openai-chat'], false);

test('targets without a price are passed over', () => {
  assert.deepEqual(pricedTargets([unpriced, openai, both], 'm'), [openai, both]);
});

test('a model without any price is said to have none, and what its operator can do', () => {
  assert.throws(() => pricedTargets([unpriced], 'vendor/model'), {
    code: 'model_not_priced',
    message: /vendor\/model has no price.*turnpike\.yaml/,
    param: 'model',
  });
});

test('who speaks the dialect of the caller goes before all others, in order', () => {
  assert.deepEqual(understandingTargets([both, anthropic, openai], 'openai-chat'), [both, openai]);
  assert.deepEqual(understandingTargets([both, anthropic, openai], 'anthropic-messages'), [both, anthropic]);
});

test('where nobody speaks it, all are kept, for the translate lane', () => {
  assert.deepEqual(understandingTargets([anthropic], 'openai-chat'), [anthropic]);
});
