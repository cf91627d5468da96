/** Goal: of thousands of names, those that are like a wanted one are found. Method: typos of names in a made-up catalogue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexModels } from '../catalog/index-models.ts';
import type { Catalog, Model } from '../catalog/model.ts';
import { LikeNames } from './like-names.ts';
import { nearestModels, prepareHints } from './nearest-models.ts';

const SERIES = ['llama', 'mistral', 'qwen', 'gemma', 'phi', 'falcon', 'granite', 'command', 'deepseek', 'yi'];
const names = Array.from(
  { length: 20_000 },
  (_, index) => `lab-${index % 211}/${SERIES[index % SERIES.length]}-${index}-${index % 2 === 0 ? 'instruct' : 'base'}`,
);

test('a name with a typo is among the likest, and so is one with a word left out', () => {
  const like = LikeNames.of(names);
  for (const [wanted, meant] of [
    ['lab-22/lama-1710-instruct', 'lab-22/llama-1710-instruct'],
    ['lab-22/llama-1710-instuct', 'lab-22/llama-1710-instruct'],
    ['mistral-12341', 'lab-103/mistral-12341-base'],
    ['lab-103/mistral-12341', 'lab-103/mistral-12341-base'],
  ] as const) {
    const found = like.find(wanted, 500).map((index) => names[index]);
    assert.equal(found.length, 500);
    assert.equal(new Set(found).size, 500);
    assert.ok(found.includes(meant), wanted);
  }
});

test('fewer names than asked for are all that share anything', () => {
  const like = LikeNames.of(['abc', 'xyz', 'abd']);
  assert.deepEqual(like.find('abc', 10), [0, 2]);
  assert.deepEqual(like.find('abc', 1), [0]);
  assert.deepEqual(like.find('', 10), []);
  assert.deepEqual(LikeNames.of([]).find('abc', 10), []);
});

test('hints in a catalogue of 20,000 models name the model that was meant', () => {
  const catalog = catalogOf(names);
  const hints = (wanted: string) => nearestModels(catalog, wanted, () => true);
  assert.equal(hints('lab-22/llama-1710-instuct')[0], 'lab-22/llama-1710-instruct');
  assert.ok(hints('mistral-12341').includes('lab-103/mistral-12341-base'), hints('mistral-12341').join(' '));
  assert.deepEqual(hints('zzzzzzzzzz'), []);
});

test('hints that were prepared in turns are the same', async () => {
  const prepared = catalogOf(names);
  await prepareHints(prepared);
  const catalog = catalogOf(names);
  for (const wanted of ['lab-22/llama-1710-instuct', 'mistral-12341', 'zzzzzzzzzz', 'phi-4'])
    assert.deepEqual(
      nearestModels(prepared, wanted, () => true),
      nearestModels(catalog, wanted, () => true),
      wanted,
    );
});

function catalogOf(ids: readonly string[]): Catalog {
  return indexModels(ids.map((id) => ({ model: { id, created: 0 } as Model, aliases: [] })));
}
