/** Goal: every vendor's wording for a prompt that is too long is recognised. Method: the vendors' messages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overflowMessage, readOverflow } from './context-overflow.ts';

const MESSAGES = [
  ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 210_000, 200_000],
  [
    'OpenAI',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens. Please reduce the length of the messages.",
    130_012,
    128_000,
  ],
  [
    'vLLM and OpenRouter',
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 40123 tokens (40000 of text input, 123 in the output).",
    40_123,
    32_768,
  ],
  [
    'Google',
    'The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).',
    1_048_600,
    1_048_576,
  ],
] as const;

for (const [vendor, message, sent, limit] of MESSAGES) {
  test(`${vendor}: both numbers are read, and written in the words that assistants act on`, () => {
    assert.deepEqual(readOverflow(message), { sent, limit });
    assert.equal(overflowMessage(message), `prompt is too long: ${sent} tokens > ${limit} maximum`);
  });
}

test('it is recognised without numbers', () => {
  assert.deepEqual(readOverflow('Input is too long for requested model.'), { sent: null, limit: null });
  assert.equal(overflowMessage('Input is too long for requested model.'), 'prompt is too long');
});

test('other refusals are not recognised', () => {
  for (const message of ['max_tokens is too large', 'context is required', ''])
    assert.equal(readOverflow(message), null);
});
