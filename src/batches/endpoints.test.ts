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
  // Errors call them the same.
  assert.deepEqual(named.sort(), [...batchEndpoints].sort());
  for (const path of named) assert.ok(findEndpoint(path)?.path.endsWith(path), path);
});
