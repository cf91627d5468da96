/** Goal: a call goes only where it can be priced and understood, and is told why not. Method: tables of targets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prices, Target } from '../catalog/model.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { pricedTargets, relayTargets } from './usable-targets.ts';

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

test('targets that speak the dialect are kept in order', () => {
  assert.deepEqual(relayTargets([both, anthropic, openai], 'openai-chat', 'm'), [both, openai]);
  assert.deepEqual(relayTargets([both, anthropic, openai], 'anthropic-messages', 'm'), [both, anthropic]);
});

test('a model of the other format only is a 501 that names the route to use', () => {
  assert.throws(() => relayTargets([anthropic], 'openai-chat', 'vendor/model'), {
    code: 'translation_not_available',
    status: 501,
    message: /served here as anthropic-messages only.*Send it to \/v1\/messages\./,
  });
  assert.throws(() => relayTargets([openai], 'anthropic-messages', 'vendor/model'), {
    message: /Send it to \/api\/v1\/chat\/completions\./,
  });
});
