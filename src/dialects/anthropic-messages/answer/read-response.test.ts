/**
 * Goal: a whole answer is read correctly, and anything else is not taken for one. Method: answers of each kind of block, and wrong types
 * everywhere.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatResponse } from '../../../chat/response.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { readFixture } from '../fixtures/read-fixture.ts';
import { readResponse } from './read-response.ts';

const origin = 'anthropic-claude-v1';

describe('an answer', () => {
  test('every block of the model is read in order, and server tools are left out', () => {
    const response = read({
      id: 'msg_1',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZW5j' },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        {
          type: 'text',
          text: 'High water.',
          citations: [
            { type: 'web_search_result_location', url: 'https://tides.example/', title: null, cited_text: 'High' },
            { type: 'char_location', document_index: 0, cited_text: 'Low' },
          ],
        },
        { type: 'tool_use', id: 'toolu_1', name: 'sail', input: { to: 'Brest' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 4 },
    });
    const citations = [{ url: 'https://tides.example/', title: '', quote: 'High', start: null, end: null }];
    assert.deepEqual(response, {
      id: 'msg_1',
      blocks: [
        { type: 'reasoning', text: 'Hm.', signature: 'c2ln', encrypted: null, origin },
        { type: 'reasoning', text: '', signature: null, encrypted: 'ZW5j', origin },
        { type: 'text', text: 'High water.', citations },
        { type: 'tool_call', id: 'toolu_1', name: 'sail', input: { to: 'Brest' }, cache: null },
      ],
      finish: { reason: 'tool_calls', stopSequence: null, native: 'tool_use', explanation: null },
      usage: { ...NO_USAGE, inputTokens: 3, outputTokens: 4 },
      warnings: [
        'a block "server_tool_use" was left out of the answer',
        'a block "web_search_tool_result" was left out of the answer',
        'a citation without a URL was left out of the answer',
      ],
    });
  });

  test('the result is the same if it was parsed before', () => {
    const body = readFixture('text.json');
    const alone = readResponse(body);
    assert.deepEqual(readResponse(body, new WholeAnswer(body).object), alone);
    assert.notEqual(alone, null);
  });

  test('a refusal has its explanation', () => {
    const stop_details = { type: 'refusal', category: null, explanation: 'Not that.' };
    assert.equal(read({ content: [], stop_reason: 'refusal', stop_details })?.finish.explanation, 'Not that.');
  });

  test('arguments that are not an object are kept as text', () => {
    assert.deepEqual(inputOf('{"to":"Brest"}'), { to: 'Brest' });
    assert.deepEqual(inputOf('to Brest'), { _raw: 'to Brest' });
    assert.deepEqual(inputOf([1]), { _raw: '[1]' });
    assert.deepEqual(inputOf(null), {});
    const odd = readResponse(Buffer.from('{"content":[{"type":"tool_use","input":{"__proto__":{"a":1}}}]}'));
    assert.equal(JSON.stringify(odd?.blocks[0]).includes('"__proto__":{"a":1}'), true);
  });
});

test('what is not an answer gives null', () => {
  const error = { type: 'error', error: { type: 'api_error', message: 'x' }, content: [] };
  for (const body of ['', '<html>', '[]', 'null', '{}', '{"content":"x"}', '{"choices":[]}', JSON.stringify(error)]) {
    assert.equal(readResponse(Buffer.from(body)), null, body);
  }
});

test('wrong types anywhere never throw', () => {
  for (const wrong of [null, 1, 'x', [], {}, [null]]) {
    const fields = {
      text: wrong,
      citations: wrong,
      thinking: wrong,
      signature: wrong,
      data: wrong,
      id: wrong,
      input: wrong,
    };
    const content = ['text', 'thinking', 'redacted_thinking', 'tool_use', wrong].map((type) => ({ type, ...fields }));
    const rest = { id: wrong, stop_reason: wrong, stop_sequence: wrong, stop_details: wrong, usage: wrong };
    assert.notEqual(read({ content: [wrong, ...content], ...rest }), null);
  }
});

function read(message: Record<string, unknown>): ChatResponse | null {
  return readResponse(Buffer.from(JSON.stringify({ type: 'message', role: 'assistant', ...message })));
}

function inputOf(input: unknown): unknown {
  const block = read({ content: [{ type: 'tool_use', id: 'toolu_1', name: 'sail', input }] })?.blocks[0];
  assert.ok(block?.type === 'tool_call');
  return block.input;
}
