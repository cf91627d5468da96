/**
 * Goal: Claude Code and the official clients can read every stream. Method: the written events of single answers in full, one trap each.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatEvent, Finish, FinishReason } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import {
  answerOf,
  context,
  parseStream,
  textBlock,
  thinkingBlock,
  toolBlock,
  usage,
  type WrittenEvent,
  writeStream,
} from './answer-fixture.ts';
import { openWriter } from './stream-writer.ts';

describe('the frame of an answer', () => {
  test('a text is written in full order', () => {
    assert.deepEqual(parseStream(writeStream(answerOf(textBlock('A', 'hoy')))), [
      {
        type: 'message_start',
        message: {
          id: `msg_${context.id}`,
          type: 'message',
          role: 'assistant',
          model: 'harbour/lighthouse',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: 0,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
            output_tokens: 1,
            cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
          },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'A' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hoy' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 7 },
      },
      { type: 'message_stop' },
    ]);
  });

  test('trap 8: message_delta waits for the final usage', () => {
    const writer = openWriter(context);
    const events = answerOf(textBlock('Ahoy'));
    const written = events.map((event) => parseStream(writer.event(event)).map(({ type }) => type));
    assert.deepEqual(written.at(-2), []);
    assert.deepEqual(written.at(-1), ['message_delta', 'message_stop']);
  });

  test('trap 23: cached tokens are separate from the input, and nothing is negative', () => {
    const final = {
      ...NO_USAGE,
      inputTokens: -3,
      cacheReadTokens: 100,
      cacheWriteTokens: 10,
      cacheWrite1hTokens: 5,
      outputTokens: 9,
      reasoningTokens: 4,
      webSearches: 2,
    };
    const events: ChatEvent[] = [...answerOf(textBlock('Ahoy')).slice(0, -1), { type: 'end', usage: final }];
    assert.deepEqual(parseStream(writeStream(events)).at(-2)?.['usage'], {
      input_tokens: 0,
      cache_creation_input_tokens: 15,
      cache_read_input_tokens: 100,
      output_tokens: 9,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 5 },
      output_tokens_details: { thinking_tokens: 4 },
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
    });
  });

  test('without a final usage the prompt known at the start is reported, and never a cost', () => {
    const events: ChatEvent[] = [
      { type: 'start', id: null, usage: { ...usage, outputTokens: 0 } },
      { type: 'finish', finish: finishOf('blank') },
      { type: 'end', usage: null },
    ];
    const stream = writeStream(events);
    const reported = parseStream(stream)[1]?.['usage'] as WrittenEvent | undefined;
    assert.equal(reported?.['input_tokens'], 20);
    assert.doesNotMatch(stream.toString(), /cost|0\.25/);
  });

  test('trap 24: an error ends the stream, and nothing follows it', () => {
    const error = new GatewayError('upstream_overloaded', { message: 'Overloaded' });
    const events: ChatEvent[] = [
      ...answerOf(textBlock('Half')).slice(0, 3),
      { type: 'error', error },
      ...answerOf(textBlock('More')),
    ];
    const written = parseStream(writeStream(events));
    assert.deepEqual(
      written.map(({ type }) => type),
      ['message_start', 'content_block_start', 'content_block_delta', 'error'],
    );
    const last = written.at(-1);
    const body = last?.['error'] as WrittenEvent | undefined;
    assert.equal(body?.type, 'overloaded_error');
    assert.equal(last?.['request_id'], `req_${context.id}`);
  });
});

describe('stop reasons', () => {
  const expected: Record<FinishReason, string> = {
    end: 'end_turn',
    blank: 'end_turn',
    stop_sequence: 'stop_sequence',
    output_cap: 'max_tokens',
    context_window: 'model_context_window_exceeded',
    tool_calls: 'tool_use',
    refusal: 'refusal',
    paused: 'pause_turn',
  };
  for (const [reason, word] of Object.entries(expected)) {
    test(`${reason} is written as ${word}`, () => {
      assert.equal(stopOf([], finishOf(reason as FinishReason))['stop_reason'], word);
    });
  }

  test('trap 4: "stop" after tool calls is tool_use', () => {
    assert.equal(stopOf(toolBlock('call_1', 'sail'), finishOf('end'))['stop_reason'], 'tool_use');
    assert.equal(stopOf(toolBlock('call_1', 'sail'), finishOf('output_cap'))['stop_reason'], 'max_tokens');
  });

  test('the stop sequence is reported if it is known', () => {
    assert.deepEqual(stopOf([], { ...finishOf('stop_sequence'), stopSequence: 'END' }), {
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    });
  });

  test('a refusal is text, and ends as a refusal whatever the provider calls it', () => {
    const refusal: ChatEvent[] = [
      { type: 'block_start', block: { type: 'refusal' } },
      { type: 'text', text: 'I will not.' },
      { type: 'block_end' },
    ];
    assert.deepEqual(stopOf(refusal, { ...finishOf('end'), explanation: 'No.' }), {
      stop_reason: 'refusal',
      stop_sequence: null,
      stop_details: { type: 'refusal', category: null, explanation: 'No.' },
    });
    assert.deepEqual(blocksOf(refusal)[0]?.['content_block'], { type: 'text', text: '' });
  });
});

describe('blocks', () => {
  test('trap 1: what causes the switch to a tool is not lost, and its input is all in deltas', () => {
    assert.deepEqual(blocksOf(textBlock('Aye.'), toolBlock('call_1', 'sail', '{"to":', '"Brest"}')).slice(3), [
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'call_1', name: 'sail', input: {} },
      },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"to":' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"Brest"}' } },
      { type: 'content_block_stop', index: 1 },
    ]);
  });

  test('without arguments there is no delta', () => {
    assert.equal(blocksOf(toolBlock('call_1', 'sail', '')).length, 2);
  });

  test('trap 21: ids are valid for Anthropic, and no two are the same', () => {
    const started = blocksOf(
      toolBlock('functions.sail:0', 'sail'),
      toolBlock('functions.sail:0', 'sail'),
      toolBlock('', 'sail'),
      toolBlock('toolu_1', 'sail'),
    ).filter(({ type }) => type === 'content_block_start');
    const ids = started.map(({ content_block }) => String((content_block as Record<string, unknown>)['id']));
    assert.equal(new Set(ids).size, 4);
    for (const id of ids) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(ids[3], 'toolu_1');
  });

  test('trap 13: an empty text block is not written and takes no index', () => {
    assert.deepEqual(
      blocksOf(textBlock(''), textBlock(), textBlock('Ahoy')).map(({ index }) => index),
      [0, 0, 0],
    );
  });

  test('trap 2: thinking is a separate block and closes with a signature, even if it has none', () => {
    assert.deepEqual(blocksOf(thinkingBlock('Hm.', null, 'unknown')), [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'tp1.unknown.' } },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  test('trap 17: a caller that does not see thoughts still gets their signatures', () => {
    const hidden = blocksIn(thinkingBlock('Hm.', 'c2ln', 'google-gemini-v1'), { showsReasoning: false });
    assert.deepEqual(hidden, [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'signature_delta', signature: 'tp1.google-gemini-v1.c2ln' },
      },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  test('unsigned thoughts are hidden without a trace', () => {
    assert.deepEqual(blocksIn(thinkingBlock('Hm.', null, 'unknown'), { showsReasoning: false }), []);
  });

  test('trap 18: thinking that is only signed is written', () => {
    assert.equal(blocksOf(thinkingBlock('', 'c2ln', 'anthropic-claude-v1')).length, 3);
  });

  test('encrypted thoughts are tagged with the vendor that made them', () => {
    const block = { type: 'reasoning', encrypted: 'gAAAA', origin: 'openai-responses-v1' } as const;
    assert.deepEqual(blocksOf([{ type: 'block_start', block }, { type: 'block_end' }]), [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'redacted_thinking', data: 'tp1.openai-responses-v1.gAAAA' },
      },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  test('citations are in their text block, also those that come before its text', () => {
    const citation = { url: 'https://tides.example/', title: 'Tides', quote: 'High', start: 0, end: 4 };
    const [, delta] = blocksOf([
      { type: 'block_start', block: { type: 'text' } },
      { type: 'citation', citation },
      { type: 'text', text: 'High water.' },
      { type: 'block_end' },
    ]);
    assert.deepEqual(delta?.['delta'], {
      type: 'citations_delta',
      citation: {
        type: 'web_search_result_location',
        url: 'https://tides.example/',
        title: 'Tides',
        encrypted_index: '',
        cited_text: 'High',
      },
    });
  });
});

function finishOf(reason: FinishReason): Finish {
  return { reason, stopSequence: null, native: null, explanation: null };
}

function stopOf(blocks: ChatEvent[], finish: Finish): Record<string, unknown> {
  const events: ChatEvent[] = [...answerOf(blocks).slice(0, -2), { type: 'finish', finish }, { type: 'end', usage }];
  return parseStream(writeStream(events)).at(-2)?.['delta'] as Record<string, unknown>;
}

function blocksOf(...blocks: ChatEvent[][]): WrittenEvent[] {
  return blocksIn(blocks.flat(), {});
}

/** The written events between `message_start` and `message_delta`. */
function blocksIn(blocks: ChatEvent[], differences: { showsReasoning?: boolean }): WrittenEvent[] {
  return parseStream(writeStream(answerOf(blocks), differences)).slice(1, -2);
}
