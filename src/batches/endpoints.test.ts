import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { batchEndpoints, findEndpoint } from './endpoints.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guide/batches.md');

test('the guide names every endpoint of a batch, and no other', () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const [, list = ''] = /All lines of a batch go to one endpoint([\s\S]*?)Each line may name/.exec(guide) ?? [];
  const named = [...list.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path);
  const patterns = named.map((path) => findEndpoint(path)?.path ?? `${path} is no endpoint`);
  assert.deepEqual(patterns.sort(), [...batchEndpoints].sort());
});
