// Goal: what a test found is offered where the provider has no model without it. Method: providers with and without models.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Provider } from '../../api/types.ts';
import { freeModel, offeredModels } from './offered-models.ts';

function provider(models: number, upstreams: readonly string[]): Provider {
  return { models, model_settings: upstreams.map(freeModel) } as unknown as Provider;
}

test('for a provider without models all are offered, and then the rest', () => {
  assert.deepEqual(offeredModels(provider(0, []), ['a', 'b']), ['a', 'b']);
  assert.deepEqual(offeredModels(provider(1, ['a']), ['a', 'b']), ['b']);
});

test('if the catalogue knows the models nothing is offered', () => {
  assert.deepEqual(offeredModels(provider(40, ['a']), ['a', 'b']), []);
});
