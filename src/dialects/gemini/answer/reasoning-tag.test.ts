/** Goal: thoughts of every vendor come back as they were, and only ours are opened. Method: tables of thoughts and signatures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReasoningBlock } from '../../../chat/request.ts';
import { NO_THOUGHTS, openThoughts, sealThoughts } from './reasoning-tag.ts';

const thought = (known: Partial<ReasoningBlock>): ReasoningBlock => ({
  type: 'reasoning',
  text: '',
  signature: null,
  encrypted: null,
  origin: 'anthropic-claude-v1',
  ...known,
});

const rows: Readonly<Record<string, readonly ReasoningBlock[]>> = {
  'a signed thought': [thought({ text: 'The tide\nturns: 5 % 🗼', signature: 'c2ln+/=' })],
  'a hidden thought after a signed one': [thought({ text: 'a', signature: 'x' }), thought({ encrypted: 'eA==' })],
  'a summary with its id': [
    thought({ text: 'Look.', origin: 'openai-responses-v1', id: 'rs_1 %20', summary: true }),
    thought({ encrypted: 'c2VhbGVk', origin: 'openai-responses-v1', id: 'rs_1 %20' }),
  ],
  'words of an unknown vendor': [thought({ text: ' two  spaces ', origin: 'unknown' })],
  "two of Google's": [
    thought({ encrypted: 'Zmlyc3Q=', origin: 'google-gemini-v1' }),
    thought({ encrypted: 'c2Vjb25k', origin: 'google-gemini-v1' }),
  ],
};

for (const [name, thoughts] of Object.entries(rows))
  test(`${name} comes back as it was, in either alphabet of base 64`, () => {
    const sealed = sealThoughts(thoughts) ?? '';
    assert.match(sealed, /^[A-Za-z0-9+/]+=*$/);
    assert.deepEqual(openThoughts(sealed), thoughts);
    assert.deepEqual(openThoughts(sealed.replaceAll('+', '-').replaceAll('/', '_')), thoughts);
  });

test("a signature of Google's is passed on as it is, also after words that were shown", () => {
  const googles = thought({ encrypted: 'Z29vZ2xl', origin: 'google-gemini-v1', id: 'call_1' });
  const words = thought({ text: 'Counting.', origin: 'google-gemini-v1' });
  for (const thoughts of [[googles], [words, googles]]) assert.equal(sealThoughts(thoughts), 'Z29vZ2xl');
  assert.equal(sealThoughts([]), null);
});

test('a signature without any thought is ours, and empty', () => {
  assert.deepEqual(openThoughts(NO_THOUGHTS), []);
});

test('a signature that we did not make is not opened', () => {
  const notOurs = ['', 'Z29vZ2xl', 'skip_thought_signature_validator', 'dHAxL', btoa('tp1.x'), btoa('tp2.\n')];
  for (const signature of notOurs) assert.equal(openThoughts(signature), null);
});

test('a signature of line breaks makes a bounded number of thoughts', () => {
  const hostile = Buffer.from(`tp1.${'\n'.repeat(1_000_000)}`).toString('base64');
  assert.ok((openThoughts(hostile) ?? []).length <= 256);
});
