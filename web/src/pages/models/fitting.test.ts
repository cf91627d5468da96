/** Goal: the filters and the order of the catalogue do what their words say. Method: a few models, each filter by itself. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CatalogModel } from '../../api/types.ts';
import { fitting, sortedModels } from './fitting.ts';

function model(id: string, changes: Partial<CatalogModel> = {}): CatalogModel {
  return {
    id,
    name: id.split('/')[1] ?? id,
    created: 0,
    context_length: 8000,
    output_cap: null,
    input_modalities: ['text'],
    output_modalities: ['text'],
    supported_parameters: [],
    providers: ['one'],
    pricing: { input: '1', output: '4', cache_read: null, cache_write: null },
    retires: null,
    is_usable: true,
    first_byte_p50_ms: null,
    calls_7d: 0,
    first_token_p50_ms: null,
    tokens_per_second: null,
    ...changes,
  };
}

const models = [
  model('acme/large', { context_length: 200_000, input_modalities: ['text', 'image'], calls_7d: 3 }),
  model('acme/free', { pricing: { input: '0', output: '0', cache_read: null, cache_write: null }, providers: ['two'] }),
  model('other/unpriced', {
    context_length: null,
    pricing: { input: null, output: null, cache_read: null, cache_write: null },
  }),
];

function idsOf(query: string): readonly string[] {
  return fitting(models, new URLSearchParams(query)).map(({ id }) => id);
}

describe('the filters of the catalogue', () => {
  test('find every word of a search, in any case', () => {
    assert.deepEqual(idsOf('search=LARGE+acme'), ['acme/large']);
    assert.deepEqual(idsOf('search=nothing'), []);
  });

  test('leave what a provider serves, what reads a modality, and what takes that much', () => {
    assert.deepEqual(idsOf('provider=two'), ['acme/free']);
    assert.deepEqual(idsOf('modality=image'), ['acme/large']);
    assert.deepEqual(idsOf('context=128000'), ['acme/large']);
  });

  test('take a model without a price for neither free nor cheap', () => {
    assert.deepEqual(idsOf('price=0'), ['acme/free']);
    assert.deepEqual(idsOf('price=5'), ['acme/large', 'acme/free']);
    assert.deepEqual(idsOf('price=none'), ['other/unpriced']);
  });
});

describe('the order of the catalogue', () => {
  test('has what the account calls first', () => {
    assert.equal(sortedModels(models.toReversed(), null)[0]?.id, 'acme/large');
  });

  test('has models without a value last, in either direction', () => {
    assert.equal(sortedModels(models, 'output').at(-1)?.id, 'other/unpriced');
    assert.equal(sortedModels(models, '-output').at(-1)?.id, 'other/unpriced');
  });
});
