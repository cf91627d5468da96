// Goal: filters leave the models they name, and orders have what is unknown last. Method: a few models with known facts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedIds, inOrder, matching, withCompared } from './matching.ts';
import type { ShownModel } from './shown-model.ts';

const models = [
  model('acme/large', { context_length: 1_000_000, pricing: price('3', '15'), first_token_p50_ms: 400, created: 20 }),
  model('acme/small', { pricing: price('0.1', '0.4'), first_token_p50_ms: 120, uptime_last_1d: 99.5, created: 30 }),
  model('beta/eye', { abilities: able(['text', 'image'], ['text'], ['tools', 'reasoning']), pricing: price('0', '0') }),
  model('beta/voice', { abilities: able(['text'], ['audio'], []), context_length: null, pricing: price(null, null) }),
];

for (const [query, ids] of [
  ['', 'acme/large acme/small beta/eye beta/voice'],
  ['search=ACME', 'acme/large acme/small'],
  ['search=beta+eye', 'beta/eye'],
  ['input=image', 'beta/eye'],
  ['output=audio', 'beta/voice'],
  ['ability=tools', 'beta/eye'],
  ['context=200000', 'acme/large'],
  ['price=0', 'beta/eye'],
  ['price=1', 'acme/small beta/eye'],
  ['price=20&search=acme', 'acme/large acme/small'],
  ['ability=nothing', ''],
])
  test(`"${query}" leaves ${ids || 'nothing'}`, () => {
    assert.equal(idsOf(matching(models, new URLSearchParams(query))), ids);
  });

for (const [sort, ids] of [
  ['name', 'acme/large acme/small beta/eye beta/voice'],
  ['-name', 'beta/voice beta/eye acme/small acme/large'],
  ['input', 'beta/eye acme/small acme/large beta/voice'],
  ['-output', 'acme/large acme/small beta/eye beta/voice'],
  ['-context', 'acme/large acme/small beta/eye beta/voice'],
  ['first_token', 'acme/small acme/large beta/eye beta/voice'],
  ['-uptime', 'acme/small acme/large beta/eye beta/voice'],
  ['-newest', 'acme/small acme/large beta/eye beta/voice'],
  ['nothing', 'acme/large acme/small beta/eye beta/voice'],
])
  test(`"${sort}" puts them in the order ${ids}`, () => {
    assert.equal(idsOf(inOrder(models, sort ?? '')), ids);
  });

test('a model that is charged by the piece is not within a price by the token, and is last by price', () => {
  const painter = model('acme/painter', { pricing: { ...price('0', '0'), units: { image: '0.01' } } });
  const all = [painter, ...models];
  assert.equal(idsOf(matching(all, new URLSearchParams('price=0'))), 'beta/eye');
  assert.equal(idsOf(inOrder(all, 'input').slice(0, 3)), 'beta/eye acme/small acme/large');
});

test('at most four models are compared, each once', () => {
  assert.deepEqual(comparedIds(new URLSearchParams('compare=a,b,a,,c,d,e')), ['a', 'b', 'c', 'd']);
  assert.deepEqual(comparedIds(new URLSearchParams('')), []);
  assert.deepEqual(withCompared(['a', 'b'], 'c', true), ['a', 'b', 'c']);
  assert.deepEqual(withCompared(['a', 'b', 'c', 'd'], 'e', true), ['a', 'b', 'c', 'd']);
  assert.deepEqual(withCompared(['a', 'b'], 'a', false), ['b']);
});

test('20,000 models are searched and sorted within the time of a few frames', () => {
  const many = Array.from({ length: 20_000 }, (_, index) =>
    model(`lab-${index % 300}/model-${index}`, { pricing: price(String(index % 97), String(index % 89)) }),
  );
  const query = new URLSearchParams('search=model+77&context=100000&price=60');
  const times = Array.from({ length: 9 }, () => {
    const startedMs = performance.now();
    inOrder(matching(many, query), '-output');
    return performance.now() - startedMs;
  });
  // About 6 ms. The shortest counts, because other programs use the machine, too.
  assert.ok(Math.min(...times) < 60, `${times.join(', ')} ms`);
});

function idsOf(found: readonly ShownModel[]): string {
  return found.map(({ id }) => id).join(' ');
}

function price(input: string | null, output: string | null): ShownModel['pricing'] {
  return { input, output, cache_read: null, cache_write: null };
}

function able(
  input: readonly string[],
  output: readonly string[],
  parameters: readonly string[],
): ShownModel['abilities'] {
  return { input_modalities: input, output_modalities: output, supported_parameters: parameters };
}

function model(id: string, facts: Partial<ShownModel> = {}): ShownModel {
  return {
    id,
    name: id,
    created: 0,
    context_length: 128_000,
    max_completion_tokens: 8_000,
    abilities: able(['text'], ['text'], []),
    pricing: price('1', '2'),
    first_token_p50_ms: null,
    tokens_per_second: null,
    uptime_last_1d: null,
    ...facts,
  };
}
