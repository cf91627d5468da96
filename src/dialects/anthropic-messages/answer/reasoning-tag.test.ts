/**
 * Goal: an opaque value comes back from a caller with the name of the vendor that made it. Method: seal and open, by table and with random
 * words.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openSignature, sealSignature } from './reasoning-tag.ts';

test("Anthropic's own signatures pass untouched", () => {
  assert.equal(sealSignature('anthropic-claude-v1', 'RXJhc2Vk=='), 'RXJhc2Vk==');
  assert.deepEqual(openSignature('RXJhc2Vk=='), { origin: 'anthropic-claude-v1', signature: 'RXJhc2Vk==' });
  assert.equal(sealSignature('anthropic-claude-v1', null), '');
});

test("another vendor's signature carries the vendor's name, and text without a signature only the name", () => {
  assert.equal(sealSignature('google-gemini-v1', 'abc.def'), 'tp1.google-gemini-v1.abc.def');
  assert.deepEqual(openSignature('tp1.google-gemini-v1.abc.def'), { origin: 'google-gemini-v1', signature: 'abc.def' });
  assert.equal(sealSignature('unknown', null), 'tp1.unknown.');
  assert.deepEqual(openSignature('tp1.unknown.'), { origin: 'unknown', signature: null });
});

test("the vendor's id of a thought is kept with its name", () => {
  assert.equal(sealSignature('openai-responses-v1', 'enc', { id: 'rs_1' }), 'tp1.openai-responses-v1/rs_1.enc');
  assert.deepEqual(openSignature('tp1.openai-responses-v1/rs_1.enc'), {
    origin: 'openai-responses-v1',
    signature: 'enc',
    id: 'rs_1',
  });
  assert.equal(sealSignature('anthropic-claude-v1', 'RXJhc2Vk==', { id: 'rs_1' }), 'RXJhc2Vk==');
});

test('what only begins like a tag is not a tag', () => {
  assert.deepEqual(openSignature('tp1.broken'), { origin: 'anthropic-claude-v1', signature: 'tp1.broken' });
});

test('any origin and id come back unchanged', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('a.b', 'a/b', '%2E', '%25', '%2F', '.', '__proto__', '50%'));
  const signature = fc.option(fc.string({ minLength: 1 }));
  const id = fc.option(fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a.b', 'a/b', '%2F')), { nil: undefined });
  fc.assert(
    fc.property(word, signature, id, fc.boolean(), (origin, signature, id, isSummary) => {
      const name = { ...(id !== undefined && { id }), ...(isSummary && { summary: true as const }) };
      assert.deepEqual(openSignature(sealSignature(origin, signature, name)), { origin, signature, ...name });
    }),
  );
});
