/** Goal: a kind that is built in is said to be, everywhere. Method: the table of kinds against the documents and the example of a configuration. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { providerKinds } from '../../src/providers/index.ts';
import type { ProviderDeclaration } from '../../src/providers/provider.ts';

const { demo: _demo, ...kinds } = providerKinds;
const all = Object.values<ProviderDeclaration>(kinds);
const read = (file: string) => readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');

test('the guide has every kind in its table, and no other', () => {
  const [, table = ''] = /\n\| \| kinds \|\n([\s\S]*?)\n\n/.exec(read('docs/guide/providers.md')) ?? [];
  const named = [...table.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name);
  assert.deepEqual(named.toSorted(), all.map(({ name }) => name).sort());
});

test('the example names every variable that makes a provider', () => {
  const example = read('turnpike.example.yaml');
  for (const { environmentVariable } of all)
    if (environmentVariable !== null) assert.match(example, new RegExp(`\\b${environmentVariable}\\b`));
});

for (const file of ['README.md', 'docs/guide/providers.md', 'docs/guide/comparison.md'])
  test(`${file} says how many kinds there are`, () => {
    const [, count] = /\b(\d+) kinds\b/.exec(read(file)) ?? [];
    assert.equal(Number(count), all.length);
  });
