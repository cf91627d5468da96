/** Goal: a whole answer is written as the API would write it. Method: answers in full. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerBlock, ChatResponse } from '../../../chat/response.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { context } from './answer-fixture.ts';
import { writeResponse } from './write-response.ts';

const finish = { reason: 'end', stopSequence: null, native: 'stop', explanation: null } as const;
const thought: AnswerBlock = { type: 'reasoning', text: 'Hm.', signature: null, encrypted: null, origin: 'unknown' };
const words: AnswerBlock = { type: 'text', text: 'Ahoy', citations: [] };

describe('a whole answer', () => {
  test('is a message of the model that the caller named, with every field that clients read', () => {
    const usage = { ...NO_USAGE, inputTokens: 20, cacheReadTokens: 4, cacheWrite1hTokens: 2, outputTokens: 7 };
    assert.deepEqual(write({ blocks: [thought, words], usage }), {
      id: `msg_${context.id}`,
      type: 'message',
      role: 'assistant',
      model: 'harbour/lighthouse',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'tp1.unknown.' },
        { type: 'text', text: 'Ahoy', citations: null },
      ],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 20,
        cache_creation_input_tokens: 2,
        cache_read_input_tokens: 4,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 2 },
        output_tokens: 7,
      },
    });
  });

  test('has counters even without a usage, and never a cost', () => {
    const written = write({ blocks: [words], usage: null });
    assert.equal(written['cost'], undefined);
    assert.equal((written['usage'] as Record<string, unknown>)['input_tokens'], 0);
  });

  test('hides thoughts but not their signatures', () => {
    const signed: AnswerBlock = { ...thought, signature: 'c2ln', origin: 'google-gemini-v1' };
    const encrypted: AnswerBlock = { ...thought, text: '', encrypted: 'ZW5j', origin: 'anthropic-claude-v1' };
    const { content } = write({ blocks: [thought, signed, encrypted] }, { showsReasoning: false });
    assert.deepEqual(content, [
      { type: 'thinking', thinking: '', signature: 'tp1.google-gemini-v1.c2ln' },
      { type: 'redacted_thinking', data: 'ZW5j' },
    ]);
  });

  test('trap 4: ends with tool_use when tools were called', () => {
    const call: AnswerBlock = { type: 'tool_call', id: 'call_1', name: 'sail', input: { to: 'Brest' }, cache: null };
    const written = write({ blocks: [call] });
    assert.equal(written['stop_reason'], 'tool_use');
    assert.deepEqual(written['content'], [{ type: 'tool_use', id: 'call_1', name: 'sail', input: { to: 'Brest' } }]);
  });

  test('has a refusal as text and ends with it', () => {
    const written = write({ blocks: [{ type: 'refusal', text: 'No.' }] });
    assert.deepEqual(written['content'], [{ type: 'text', text: 'No.', citations: null }]);
    assert.equal(written['stop_reason'], 'refusal');
    assert.deepEqual(written['stop_details'], { type: 'refusal', category: null, explanation: null });
  });

  test('trap 13: has no empty text block', () => {
    assert.deepEqual(write({ blocks: [{ ...words, text: '' }, words] })['content'], [
      { type: 'text', text: 'Ahoy', citations: null },
    ]);
  });
});

function write(response: Partial<ChatResponse>, differences: Partial<WriteContext> = {}): Record<string, unknown> {
  const whole = { id: null, blocks: [], finish, usage: null, warnings: [], ...response };
  return JSON.parse(writeResponse(whole, { ...context, ...differences }).toString()) as Record<string, unknown>;
}
