// Goal: the snippets begin with a model that works: the one used last, else the cheapest. Method: made-up catalogues.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogModel } from '../../api/types.ts';
import { allowedBy, chooseModel } from './choose-model.ts';

function model(id: string, price: string | null, change: Partial<CatalogModel> = {}): CatalogModel {
  return {
    id,
    name: id,
    created: 0,
    context_length: 128_000,
    output_cap: null,
    input_modalities: ['text'],
    output_modalities: ['text'],
    supported_parameters: ['tools'],
    providers: [id.split('/')[0] ?? ''],
    pricing: { input: price, output: price, cache_read: null, cache_write: null },
    retires: null,
    is_usable: true,
    first_byte_p50_ms: null,
    calls_7d: 0,
    first_token_p50_ms: null,
    tokens_per_second: null,
    ...change,
  };
}

const demo = model('demo/echo', '0.1');
const dear = model('acme/large', '10');
const cheap = model('acme/small', '0.5');
const catalog = [dear, demo, cheap];
const all = (): boolean => true;

test('the model that was used last comes first', () => {
  assert.equal(chooseModel({ catalog, used: ['acme/large', 'acme/small'], isAllowed: all }), 'acme/large');
});

test('one that is gone, or that the key may not call, is passed over', () => {
  assert.equal(chooseModel({ catalog, used: ['acme/gone', 'acme/small'], isAllowed: all }), 'acme/small');
  assert.equal(chooseModel({ catalog, used: ['acme/large'], isAllowed: (id) => id !== 'acme/large' }), 'acme/small');
});

test('without a call it is the cheapest, and the demo only if there is nothing else', () => {
  assert.equal(chooseModel({ catalog, used: [], isAllowed: all }), 'acme/small');
  assert.equal(chooseModel({ catalog: [demo], used: [], isAllowed: all }), 'demo/echo');
  assert.equal(chooseModel({ catalog: [], used: [], isAllowed: all }), 'demo/echo');
});

test('a model that has no price, cannot be called or writes no text is not proposed', () => {
  const others = [
    model('acme/unpriced', null),
    model('acme/unusable', '0.01', { is_usable: false }),
    model('acme/painter', '0.01', { output_modalities: ['image'] }),
  ];
  assert.equal(chooseModel({ catalog: [...others, ...catalog], used: [], isAllowed: all }), 'acme/small');
  assert.equal(chooseModel({ catalog: others, used: [], isAllowed: all }), 'acme/unpriced');
});

test('patterns allow and deny as the gateway judges them', () => {
  const allows = allowedBy([
    { models_allow: ['acme/*', 'demo/echo'], models_deny: null },
    { models_allow: null, models_deny: ['acme/large'] },
  ]);
  assert.deepEqual(
    ['acme/small', 'acme/large', 'demo/echo', 'demo/lorem', 'acme'].map((id) => allows(id)),
    [true, false, true, false, false],
  );
});
