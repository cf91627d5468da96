/**
 * Goal: the meter reads every answer in the Messages format to the same numbers, however the
 * network cuts it. Method: streams written by hand, their numbers counted by hand.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { NO_USAGE, type Usage } from '../../core/usage.ts';
import type { MeterState } from '../dialect.ts';
import { deltaBytes, measureDelta } from './delivered.ts';
import { everyCut, framesOf, readFixture, streamNames } from './fixtures/read-fixture.ts';
import { AnthropicMeter } from './meter.ts';

interface Reading {
  readonly state: MeterState;
  readonly ended: boolean;
  readonly upstreamId: string | null;
  readonly finishReason: string | null;
  readonly outputBytes: number;
  readonly usage: Usage | null;
}

const SPOKEN = 'Fog over the "Straße":\n\t\\o/ {"delta":{"type":"x"}} 灯台 🗼 é🗼';

const expected: Record<string, Reading> = {
  'text.sse': finished('msg_text', 'end_turn', Buffer.byteLength(SPOKEN), { inputTokens: 21, outputTokens: 33 }),
  'thinking.sse': finished('msg_thinking', 'end_turn', 'Two plus two.Four.'.length, {
    inputTokens: 50,
    cacheReadTokens: 4000,
    cacheWriteTokens: 100,
    cacheWrite1hTokens: 200,
    outputTokens: 40,
    reasoningTokens: 31,
  }),
  // 150 tokens of thinking that were counted but not sent stand for 600 bytes.
  'omitted-thinking.sse': {
    ...finished('msg_omitted', null, 600, { inputTokens: 9, outputTokens: 1 }),
    state: 'open',
    ended: false,
  },
  'tool-use.sse': finished('msg_tool', 'tool_use', 'I look.{"harbour": "Brest"}'.length, {
    inputTokens: 400,
    outputTokens: 61,
  }),
  'parallel-tools.sse': finished('msg_parallel', 'tool_use', '{"at":1}{"at":22}'.length, {
    inputTokens: 410,
    outputTokens: 70,
  }),
  'tool-without-arguments.sse': finished('msg_bare', 'tool_use', 0, { inputTokens: 30, outputTokens: 18 }),
  'redacted-thinking.sse': finished('msg_redacted', 'end_turn', 'RXJhc2VkIHRob3VnaHRzNo.'.length, {
    inputTokens: 92,
    outputTokens: 88,
  }),
  'server-tools.sse': finished('msg_search', 'pause_turn', '{"query":"tides"}High water at noon.'.length, {
    inputTokens: 7300,
    outputTokens: 90,
    webSearches: 2,
  }),
  'refusal.sse': finished('msg_refusal', 'refusal', 0, { inputTokens: 77 }),
  'in-band-error.sse': {
    ...finished('msg_broken', null, 'Half a sen'.length, { inputTokens: 12, outputTokens: 1 }),
    state: 'failed',
  },
  'duplicate-start.sse': finished('msg_twice', 'end_turn', 4, {
    inputTokens: 17,
    cacheReadTokens: 5,
    outputTokens: 6,
  }),
  // The attempt the provider gave up on counts neither as usage nor as delivered.
  'spliced-start.sse': finished('msg_second', 'tool_use', 2, { inputTokens: 17, outputTokens: 20 }),
  'compaction.sse': finished('msg_compact', 'end_turn', 'A summary.On we go.'.length, {
    inputTokens: 60_600,
    cacheReadTokens: 7,
    cacheWriteTokens: 11,
    outputTokens: 1700,
  }),
  'without-message-stop.sse': {
    ...finished('msg_unstopped', 'max_tokens', 4, { inputTokens: 8, outputTokens: 4 }),
    ended: false,
  },
  'truncated.sse': {
    ...finished('msg_cut', 'end_turn', 6, { inputTokens: 8, outputTokens: 4 }),
    state: 'open',
    ended: false,
  },
  'empty.sse': { ...finished('msg_empty', null, 0, { inputTokens: 8 }), state: 'empty' },
  // The total of message_delta has no split; all of the first one was for an hour.
  'cache-hour.sse': finished('msg_hour', 'max_tokens', 0, { inputTokens: 3, cacheWrite1hTokens: 1400 }),
  // No `event:` lines, CR LF, a comment, data over two lines, keys in another order.
  'proxied.sse': finished('msg_proxy', 'end_turn', 4, { inputTokens: 5, outputTokens: 2 }),
};

describe('a stream', () => {
  test('every fixture has its expected reading', () => {
    assert.deepEqual(Object.keys(expected).sort(), [...streamNames].sort());
  });

  for (const [name, reading] of Object.entries(expected)) {
    test(`${name} is metered, wherever it is cut`, () => {
      const bytes = readFixture(name);
      assert.deepEqual(readingOf([bytes]), reading);
      for (const chunks of everyCut(bytes)) assert.deepEqual(readingOf(chunks), reading);
    });
  }

  test('is open after every frame but the last, and open means not ended', () => {
    const frames = framesOf([readFixture('tool-use.sse')]);
    const meter = new AnthropicMeter();
    for (const frame of frames.slice(0, -2)) {
      meter.frame(frame);
      assert.equal(meter.state, 'open');
      assert.equal(meter.ended, false);
    }
  });

  test('what follows the last frame changes nothing', () => {
    const twice = Buffer.concat([
      readFixture('text.sse'),
      readFixture('tool-use.sse'),
      readFixture('in-band-error.sse'),
    ]);
    assert.deepEqual(readingOf([twice]), expected['text.sse']);
  });

  test('an error after the stop reason is still a failure', () => {
    const error = framesOf([readFixture('in-band-error.sse')]).at(-1)?.raw ?? Buffer.alloc(0);
    const { state } = readingOf([readFixture('without-message-stop.sse'), error]);
    assert.equal(state, 'failed');
  });

  test('no payload makes the meter throw', () => {
    const events = ['message_start', 'content_block_start', 'content_block_delta', 'message_delta', 'error', null];
    fc.assert(
      fc.property(fc.constantFrom(...events), fc.oneof(fc.json(), fc.string()), (event, payload) => {
        const meter = new AnthropicMeter();
        meter.frame({ raw: Buffer.alloc(0), event, data: Buffer.from(payload), dataStart: -1 });
        meter.body(Buffer.from(payload));
        assert.equal(typeof meter.delivered().outputBytes, 'number');
        meter.usage();
      }),
    );
  });
});

describe('usage that is no usage', () => {
  const bad = [-1, 1.5, '7', true, 1e30, {}, []];
  const places = [
    (value: unknown) => ({ input_tokens: value, output_tokens: 2 }),
    (value: unknown) => ({ input_tokens: 1, output_tokens: value }),
    (value: unknown) => ({ input_tokens: 1, output_tokens: 2, cache_read_input_tokens: value }),
    (value: unknown) => ({ input_tokens: 1, output_tokens: 2, cache_creation: { ephemeral_1h_input_tokens: value } }),
    (value: unknown) => ({ input_tokens: 1, output_tokens: 2, server_tool_use: { web_search_requests: value } }),
    (value: unknown) => ({
      input_tokens: 1,
      output_tokens: 2,
      iterations: [{ type: 'compaction', input_tokens: value }],
    }),
  ];

  test('is reported as invalid and never as a number', () => {
    for (const place of places) {
      for (const value of bad) {
        const meter = meterOfBody({ type: 'message', content: [], stop_reason: 'end_turn', usage: place(value) });
        assert.equal(meter.usageInvalid(), true, JSON.stringify(place(value)));
        assert.equal(meter.usage(), null);
        assert.equal(meter.state, 'finished');
      }
    }
  });

  test('null counters are absent, not invalid', () => {
    for (const place of places.slice(2)) {
      const meter = meterOfBody({ type: 'message', content: [], stop_reason: 'end_turn', usage: place(null) });
      assert.equal(meter.usageInvalid(), false);
      assert.deepEqual(meter.usage(), { ...NO_USAGE, inputTokens: 1, outputTokens: 2 });
    }
  });

  test('a message_delta that is not JSON leaves no usage to trust', () => {
    const stream = readFixture('text.sse')
      .toString()
      .replace('"usage":{"output_tokens":33}', '"usage":{"output_tokens":3');
    const meter = new AnthropicMeter();
    for (const frame of framesOf([Buffer.from(stream)])) meter.frame(frame);
    assert.equal(meter.usageInvalid(), true);
    assert.equal(meter.usage(), null);
  });
});

describe('a whole answer', () => {
  test('is metered like a stream of the same content', () => {
    const meter = new AnthropicMeter();
    meter.body(readFixture('text.json'));
    assert.equal(meter.state, 'finished');
    assert.equal(meter.upstreamId, 'msg_whole');
    assert.equal(meter.finishReason, 'tool_use');
    assert.equal(meter.delivered().outputBytes, Buffer.byteLength('Hm.Vier. 灯{"model":"boat"}'));
    assert.deepEqual(meter.usage(), {
      ...NO_USAGE,
      inputTokens: 10,
      cacheReadTokens: 30,
      cacheWriteTokens: 5,
      cacheWrite1hTokens: 15,
      outputTokens: 40,
      reasoningTokens: 12,
      webSearches: 1,
    });
  });

  test('without tokens and without a reason is empty', () => {
    const usage = { input_tokens: 4, output_tokens: 0 };
    assert.equal(meterOfBody({ type: 'message', content: [], stop_reason: null, usage }).state, 'empty');
  });

  test('that only warmed the cache is finished and paid for', () => {
    const usage = { input_tokens: 4, cache_creation_input_tokens: 2000, output_tokens: 0 };
    const meter = meterOfBody({ type: 'message', content: [], stop_reason: 'max_tokens', usage });
    assert.equal(meter.state, 'finished');
    assert.equal(meter.usage()?.cacheWriteTokens, 2000);
  });

  test('that is an error in an answer of status 200 has failed', () => {
    assert.equal(meterOfBody({ type: 'error', error: { type: 'api_error', message: 'no' } }).state, 'failed');
    assert.equal(meterOfBody({ error: { message: 'no', code: 500 } }).state, 'failed');
  });

  test('that is no message stays open', () => {
    for (const body of ['<html>nginx</html>', '', '[]', '{}', '{"type":"message"}', 'null']) {
      const meter = new AnthropicMeter();
      meter.body(Buffer.from(body));
      assert.equal(meter.state, 'open', body);
      assert.equal(meter.usage(), null);
    }
  });
});

describe('the quick measure of a delta', () => {
  const fields = { text_delta: 'text', thinking_delta: 'thinking', input_json_delta: 'partial_json' } as const;

  test('agrees with reading it as JSON, or leaves it to that', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^["\\\n{}:,a-z]*$/));
    const type = fc.constantFrom('text_delta', 'thinking_delta', 'input_json_delta');
    fc.assert(
      fc.property(type, text, fc.nat(9), (type, text, padding) => {
        const delta = { type, [fields[type as keyof typeof fields]]: text };
        const json = JSON.stringify({ type: 'content_block_delta', index: 0, delta });
        const measured = measureDelta(Buffer.from(json.slice(0, -1) + '}'.padStart(padding)));
        if (measured !== -1) assert.equal(measured, deltaBytes(delta));
        // Only an escape that stands for a code unit is left to the slow way.
        else assert.match(json, /\\u/);
      }),
    );
  });

  test('does not trust a delta that holds more than the text', () => {
    const json = '{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"","estimated_tokens":50}}';
    assert.equal(measureDelta(Buffer.from(json)), -1);
  });

  test('does not read beyond a delta that is cut', () => {
    const json = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\\n\\"b"}}';
    for (let end = 0; end < json.length - 1; end += 1) {
      assert.equal(measureDelta(Buffer.from(json.slice(0, end))), -1, json.slice(0, end));
    }
  });
});

function readingOf(chunks: readonly Buffer[]): Reading {
  const meter = new AnthropicMeter();
  for (const frame of framesOf(chunks)) meter.frame(frame);
  assert.equal(meter.usageInvalid(), false);
  return {
    state: meter.state,
    ended: meter.ended,
    upstreamId: meter.upstreamId,
    finishReason: meter.finishReason,
    outputBytes: meter.delivered().outputBytes,
    usage: meter.usage(),
  };
}

function finished(
  upstreamId: string,
  finishReason: string | null,
  outputBytes: number,
  usage: Partial<Usage>,
): Reading {
  return { state: 'finished', ended: true, upstreamId, finishReason, outputBytes, usage: { ...NO_USAGE, ...usage } };
}

function meterOfBody(body: unknown): AnthropicMeter {
  const meter = new AnthropicMeter();
  meter.body(Buffer.from(JSON.stringify(body)));
  return meter;
}
