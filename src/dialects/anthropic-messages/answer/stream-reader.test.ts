/**
 * Goal: a provider's stream is read correctly, however it arrives. Method: every fixture cut at every byte, the full events of single
 * fixtures, and the mistakes of imitating servers one by one.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BLOCKS_WAITING_MAX } from '../../../chat/hold-event.ts';
import type { ChatEvent } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { framesOf, readFixture, streamNames } from '../fixtures/read-fixture.ts';
import { AnthropicMessagesMeter } from '../meter/meter.ts';
import { readChunks, readStream, streamOf, type WrittenEvent } from './answer-fixture.ts';
import { openReader } from './stream-reader.ts';

describe('every fixture', () => {
  for (const name of streamNames) {
    const stream = readFixture(name);

    test(`${name} gives the same events wherever it is cut`, () => {
      const whole = readStream(stream);
      for (let cut = 1; cut < stream.length; cut += 1) {
        assert.deepEqual(readChunks([stream.subarray(0, cut), stream.subarray(cut)]), whole, `cut at ${cut}`);
      }
    });

    test(`${name} ends well exactly if its meter says so`, () => {
      const meter = new AnthropicMessagesMeter();
      for (const frame of framesOf(stream)) meter.frame(frame);
      const last = readStream(stream).at(-1);
      // An answer that starts twice is charged once, but a caller has already read the first part.
      const well = (meter.state === 'finished' || meter.state === 'empty') && name !== 'spliced-start.sse';
      assert.equal(last?.type, well ? 'end' : 'error');
      if (last?.type === 'end') assert.deepEqual(last.usage, meter.usage());
    });
  }
});

describe('blocks', () => {
  test('thinking ends with its signature', () => {
    assert.deepEqual(bodyOf('thinking.sse'), [
      { type: 'block_start', block: { type: 'reasoning', encrypted: null, origin: 'anthropic-claude-v1' } },
      { type: 'reasoning', text: 'Two plus' },
      { type: 'reasoning', text: ' two.' },
      { type: 'signature', signature: 'c2lnbmF0dXJl+/AbC/dEf0123456789==Azz', origin: 'anthropic-claude-v1' },
      { type: 'block_end' },
      { type: 'block_start', block: { type: 'text' } },
      { type: 'text', text: 'Four.' },
      { type: 'block_end' },
      { type: 'finish', finish: { reason: 'end', stopSequence: null, native: 'end_turn', explanation: null } },
    ]);
  });

  test('trap 18: thinking that is only signed is kept', () => {
    assert.deepEqual(bodyOf('omitted-thinking.sse').slice(0, 3), [
      { type: 'block_start', block: { type: 'reasoning', encrypted: null, origin: 'anthropic-claude-v1' } },
      { type: 'signature', signature: 'b21pdHRlZA==', origin: 'anthropic-claude-v1' },
      { type: 'block_end' },
    ]);
  });

  test('thinking that is not shown at all arrives complete, and text may be in the start of its block', () => {
    assert.deepEqual(bodyOf('redacted-thinking.sse').slice(0, 5), [
      {
        type: 'block_start',
        block: { type: 'reasoning', encrypted: 'RXJhc2VkIHRob3VnaHRz', origin: 'anthropic-claude-v1' },
      },
      { type: 'block_end' },
      { type: 'block_start', block: { type: 'text' } },
      { type: 'text', text: 'No.' },
      { type: 'block_end' },
    ]);
  });

  test('server tools and their results are left out, and citations name their page', () => {
    const citation = { url: 'https://tides.example/', title: 'Tides', quote: 'High water', start: null, end: null };
    assert.deepEqual(bodyOf('server-tools.sse'), [
      { type: 'warning', text: 'a block "server_tool_use" was left out of the answer' },
      { type: 'warning', text: 'a block "web_search_tool_result" was left out of the answer' },
      { type: 'block_start', block: { type: 'text' } },
      { type: 'citation', citation },
      { type: 'text', text: 'High water at noon.' },
      { type: 'block_end' },
      { type: 'finish', finish: { reason: 'paused', stopSequence: null, native: 'pause_turn', explanation: null } },
    ]);
  });

  test('a summary of compaction is not part of the answer', () => {
    assert.deepEqual(
      bodyOf('compaction.sse').filter(({ type }) => type === 'text'),
      [{ type: 'text', text: 'On we go.' }],
    );
  });

  test('a tool without arguments has none', () => {
    assert.deepEqual(bodyOf('tool-without-arguments.sse').slice(0, 2), [
      { type: 'block_start', block: { type: 'tool_call', id: 'toolu_bare', name: 'refresh' } },
      { type: 'block_end' },
    ]);
  });

  test('a stream fails if thousands of blocks wait for one that does not end', () => {
    const starts = Array.from(
      { length: BLOCKS_WAITING_MAX + 1 },
      (_, index) => tool(index, `toolu_${index}`, {})[0] as WrittenEvent,
    );
    const lastOf = (count: number) => readStream(streamOf(...answer(...starts.slice(0, count)))).at(-1)?.type;
    assert.equal(lastOf(BLOCKS_WAITING_MAX), 'end');
    assert.equal(lastOf(BLOCKS_WAITING_MAX + 1), 'error');
  });

  test('trap 6: an input that is only in the start of its block is read', () => {
    const events = readStream(streamOf(...answer(...tool(0, 'toolu_1', { harbour: 'Brest' }))));
    assert.deepEqual(events[2], { type: 'arguments', json: '{"harbour":"Brest"}' });
  });

  test('an input in the start is ignored when deltas follow', () => {
    const events = readStream(streamOf(...answer(...tool(0, 'toolu_1', { a: 1 }, '{"a":', '1}'))));
    assert.equal(argumentsOf(events), '{"a":1}');
  });

  test('trap 5: of two interleaved tool calls the later one waits', () => {
    const [firstStart, firstStop] = tool(0, 'toolu_1', {}) as [WrittenEvent, WrittenEvent];
    const [secondStart, secondStop] = tool(1, 'toolu_2', {}) as [WrittenEvent, WrittenEvent];
    const events = readStream(
      streamOf(
        ...answer(
          firstStart,
          secondStart,
          argumentsDelta(1, '{"b":'),
          argumentsDelta(0, '{"a":1}'),
          argumentsDelta(1, '2}'),
          secondStop,
          firstStop,
        ),
      ),
    );
    assert.deepEqual(events.slice(1, -2), [
      { type: 'block_start', block: { type: 'tool_call', id: 'toolu_1', name: 'tide_table' } },
      { type: 'arguments', json: '{"a":1}' },
      { type: 'block_end' },
      { type: 'block_start', block: { type: 'tool_call', id: 'toolu_2', name: 'tide_table' } },
      { type: 'arguments', json: '{"b":2}' },
      { type: 'block_end' },
    ]);
  });

  test('trap 3: a block that is stopped twice ends once', () => {
    const [start, stop] = tool(0, 'toolu_1', {}) as [WrittenEvent, WrittenEvent];
    const events = readStream(streamOf(...answer(start, stop, stop)));
    assert.equal(events.filter(({ type }) => type === 'block_end').length, 1);
  });

  test('blocks that were never stopped end with the message', () => {
    const [start] = tool(0, 'toolu_1', {}) as [WrittenEvent];
    const events = readStream(streamOf(...answer(start)));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['start', 'block_start', 'block_end', 'finish', 'end'],
    );
  });

  test('tool calls without an id get different ones', () => {
    const events = readStream(streamOf(...answer(...tool(0, '', {}), ...tool(1, '', {}))));
    const ids = events.flatMap((event) =>
      event.type === 'block_start' && event.block.type === 'tool_call' ? [event.block.id] : [],
    );
    assert.deepEqual(ids, ['msg_1_0', 'msg_1_1']);
  });

  test('a signature that another gateway of this kind has tagged is opened', () => {
    const block = { type: 'thinking', thinking: 'Hm.', signature: '' };
    const events = readStream(
      streamOf(
        ...answer(
          { type: 'content_block_start', index: 0, content_block: block },
          {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'signature_delta', signature: 'tp1.google-gemini-v1.c2ln' },
          },
          { type: 'content_block_stop', index: 0 },
        ),
      ),
    );
    assert.deepEqual(events[3], { type: 'signature', signature: 'c2ln', origin: 'google-gemini-v1' });
  });
});

describe('ends', () => {
  test('a refusal has its explanation', () => {
    const stop_details = { type: 'refusal', category: 'harm', explanation: 'Not that.' };
    const events = readStream(
      streamOf(
        start,
        { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details } },
        { type: 'message_stop' },
      ),
    );
    assert.deepEqual(events[1], { type: 'warning', text: 'the field "category" of a refusal was left out' });
    assert.deepEqual(events[2], {
      type: 'finish',
      finish: { reason: 'refusal', stopSequence: null, native: 'refusal', explanation: 'Not that.' },
    });
  });

  test('trap 4: tool calls end as such though the server says end_turn', () => {
    const finish = readStream(streamOf(...answer(...tool(0, 'toolu_1', {})))).at(-2);
    assert.ok(finish?.type === 'finish');
    assert.equal(finish.finish.reason, 'tool_calls');
    assert.equal(finish.finish.native, 'end_turn');
  });

  test('no reason at all is blank', () => {
    const finish = bodyOf('empty.sse').at(-1);
    assert.ok(finish?.type === 'finish');
    assert.equal(finish.finish.reason, 'blank');
  });

  test('a stream without its last frame ends well if it had a stop reason and no block is open', () => {
    assert.equal(readStream(readFixture('without-message-stop.sse')).at(-1)?.type, 'end');
    assert.equal(errorOf(readStream(readFixture('truncated.sse'))).code, 'bad_gateway');
  });

  test('nothing at all is a broken stream', () => {
    assert.equal(errorOf(readStream('')).code, 'bad_gateway');
  });

  test('nothing follows the end', () => {
    const reader = openReader();
    for (const frame of framesOf(readFixture('text.sse'))) reader.frame(frame);
    assert.deepEqual(reader.end(), []);
    assert.deepEqual(
      framesOf(readFixture('text.sse')).flatMap((frame) => reader.frame(frame)),
      [],
    );
  });
});

describe('broken streams', () => {
  test('trap 24: an error inside the stream is an error, with the text that the caller may read', () => {
    const error = errorOf(readStream(readFixture('in-band-error.sse')));
    assert.equal(error.code, 'upstream_overloaded');
    assert.equal(error.message, 'The provider is overloaded: Overloaded');
  });

  test('errors that concern only the operator are not shown to the caller', () => {
    const said = { type: 'billing_error', message: 'Your credit balance is too low, sk-ant-secret.' };
    const error = errorOf(readStream(streamOf(start, { type: 'error', error: said })));
    assert.equal(error.code, 'upstream_credential_rejected');
    assert.doesNotMatch(error.message, /credit|secret/);
  });

  test('an error without a known type is understood by its status', () => {
    const error = errorOf(readStream('data: {"error":{"code":429,"message":"Slow down"}}\n\n'));
    assert.equal(error.code, 'upstream_rate_limited');
  });

  test('trap 2: message_start twice is one start', () => {
    const events = readStream(readFixture('duplicate-start.sse'));
    assert.equal(events.filter(({ type }) => type === 'start').length, 1);
    assert.equal(events.at(-1)?.type, 'end');
  });

  test('an answer that starts again in the middle is broken: what was sent cannot be undone', () => {
    const events = readStream(readFixture('spliced-start.sse'));
    assert.equal(errorOf(events).code, 'bad_gateway');
    assert.equal(events.filter(({ type }) => type === 'block_end').length, 0);
  });

  test('trap 2: thinking inside a text block is broken', () => {
    const events = readStream(
      streamOf(
        start,
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      ),
    );
    assert.equal(errorOf(events).code, 'bad_gateway');
  });

  test('a delta for a block that never started breaks the stream and is not lost', () => {
    assert.equal(errorOf(readStream(streamOf(start, argumentsDelta(0, '{}')))).code, 'bad_gateway');
  });

  test('what is not JSON breaks the stream, except for a ping and [DONE]', () => {
    assert.equal(errorOf(readStream('event: content_block_delta\ndata: {"index":0\n\n')).code, 'bad_gateway');
    const padded = Buffer.concat([streamOf(start), Buffer.from('event: ping\ndata: -\n\ndata: [DONE] \n\n')]);
    assert.equal(errorOf(readStream(padded)).message, "The provider's answer ended unexpectedly.");
  });

  test('wrong types anywhere never throw', () => {
    for (const wrong of [null, 1, 'x', [], {}]) {
      const payloads = [
        { type: 'message_start', message: wrong },
        { type: 'content_block_start', index: wrong, content_block: wrong },
        {
          type: 'content_block_start',
          index: 7,
          content_block: { type: 'tool_use', id: wrong, name: wrong, input: wrong },
        },
        { type: 'content_block_start', index: 8, content_block: { type: 'text', text: wrong, citations: wrong } },
        { type: 'content_block_delta', index: 7, delta: { type: 'input_json_delta', partial_json: wrong } },
        { type: 'content_block_delta', index: 8, delta: { type: 'citations_delta', citation: wrong } },
        { type: 'message_delta', delta: wrong, usage: wrong },
        { type: 'message_delta', delta: { stop_reason: wrong, stop_details: wrong, stop_sequence: wrong } },
        { type: wrong },
      ];
      for (const payload of payloads) readStream(streamOf(start, payload as WrittenEvent));
      readStream(streamOf(...(payloads as WrittenEvent[])));
    }
  });
});

const start: WrittenEvent = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

function answer(...payloads: readonly WrittenEvent[]): WrittenEvent[] {
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } };
  return [start, ...payloads, end, { type: 'message_stop' }];
}

function tool(index: number, id: string, input: unknown, ...pieces: readonly string[]): WrittenEvent[] {
  return [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: 'tide_table', input } },
    ...pieces.map((piece) => argumentsDelta(index, piece)),
    { type: 'content_block_stop', index },
  ];
}

function argumentsDelta(index: number, partial_json: string): WrittenEvent {
  return { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } };
}

/** A fixture's events between `start` and `end`. */
function bodyOf(name: string): ChatEvent[] {
  return readStream(readFixture(name)).slice(1, -1);
}

function argumentsOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'arguments' ? event.json : '')).join('');
}

function errorOf(events: readonly ChatEvent[]): GatewayError {
  const last = events.at(-1);
  assert.ok(last?.type === 'error' && last.error instanceof GatewayError);
  return last.error;
}
