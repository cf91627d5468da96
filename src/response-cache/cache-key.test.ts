/** Goal: equal requests have equal keys, and no others. Method: each part changed alone, and texts that join to the same bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectId } from '../core/ids.ts';
import { type CacheKeyParts, CacheKeys, formOf } from './cache-key.ts';

const PARTS: CacheKeyParts = { projectId: projectId(1), texts: ['chat', 'acme/large'], body: [Buffer.from('"a":1')] };

test('each part counts, and where one ends and the next begins', async () => {
  const keys = new CacheKeys();
  const all = await Promise.all(
    [
      PARTS,
      { ...PARTS, projectId: projectId(2) },
      { ...PARTS, texts: ['chat', 'acme/small'] },
      { ...PARTS, texts: ['chatacme/large'] },
      { ...PARTS, texts: ['chat', 'acme/', 'large'] },
      { ...PARTS, body: [Buffer.from('"a": 1')] },
      { ...PARTS, body: [Buffer.from('"a"'), Buffer.from(':1')] },
      { ...PARTS, body: [] },
    ].map((parts) => keys.of(parts)),
  );
  assert.equal(new Set(all).size, all.length);
  assert.equal(await keys.of(PARTS), all[0]);
});

test('a large body is hashed in turns, to the same result', async () => {
  const keys = new CacheKeys();
  const body = [Buffer.alloc(3 * 1024 * 1024, 'a')];
  const [one, other] = await Promise.all([keys.of({ ...PARTS, body }), keys.of({ ...PARTS, body })]);
  assert.equal(one, other);
});

test('the keys of two processes have nothing in common', async () => {
  assert.notEqual(await new CacheKeys().of(PARTS), await new CacheKeys().of(PARTS));
});

test('streams with other options have another form', () => {
  const forms = [formOf('events', null), formOf('events', Buffer.from('{}')), formOf('events', Buffer.from('[]'))];
  assert.equal(new Set(forms).size, 3);
});
