/**
 * Goal: a meter is right in edge cases: streams that do not end, invalid counts, bodies that are not answers. The numbers of whole streams
 * are in anthropic-messages.test.ts.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { NO_USAGE } from '../../../core/usage.ts';
import { Frame } from '../../../wire/frames/frame.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { framesOf, readFixture, streamNames } from '../fixtures/read-fixture.ts';
import { deltaText, measureDelta } from './delivered.ts';
import { AnthropicMessagesMeter } from './meter.ts';

describe('a stream', () => {
  const unfinished = ['omitted-thinking.sse', 'truncated.sse', 'without-message-stop.sse'];

  for (const name of streamNames) {
    test(`${name} has ${unfinished.includes(name) ? 'no last frame' : 'its last frame'}`, () => {
      assert.equal(meterOf(readFixture(name)).ended, !unfinished.includes(name));
    });
  }

  test('is open after every frame but the last, and open means not ended', () => {
    const frames = framesOf(readFixture('tool-use.sse'));
    const meter = new AnthropicMessagesMeter();
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
    const meter = meterOf(twice);
    assert.equal(meter.upstreamId, 'msg_text');
    assert.equal(meter.state, 'finished');
    assert.equal(meter.usage()?.outputTokens, 33);
  });

  test('an error after the stop reason is still a failure', () => {
    const error = framesOf(readFixture('in-band-error.sse')).at(-1)?.bytes ?? Buffer.alloc(0);
    assert.equal(meterOf(Buffer.concat([readFixture('without-message-stop.sse'), error])).state, 'failed');
  });

  test('no payload makes the meter throw', () => {
    const events = ['message_start', 'content_block_start', 'content_block_delta', 'message_delta', 'error', null];
    fc.assert(
      fc.property(fc.constantFrom(...events), fc.oneof(fc.json(), fc.string()), (event, payload) => {
        const meter = new AnthropicMessagesMeter();
        meter.frame(new Frame(Buffer.alloc(0), event, Buffer.from(payload), -1));
        meter.body(new WholeAnswer(Buffer.from(payload)));
        assert.equal(typeof meter.delivered().outputBytes, 'number');
        meter.usage();
      }),
    );
  });
});

describe('invalid usage', () => {
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

  test('is reported as invalid, makes its part unreported, and is never a number', () => {
    for (const [index, place] of places.entries()) {
      const reported = ['output', 'prompt', 'output', 'output', 'all', 'output'][index];
      for (const value of bad) {
        const meter = meterOfBody({ type: 'message', content: [], stop_reason: 'end_turn', usage: place(value) });
        assert.equal(meter.usageInvalid(), true, JSON.stringify(place(value)));
        assert.equal(meter.reported(), reported, JSON.stringify(place(value)));
        for (const count of Object.values(meter.usage() ?? {})) assert.ok(Number.isSafeInteger(count) && count >= 0);
        assert.equal(meter.state, 'finished');
      }
    }
    for (const usage of [12, 'many', [], true]) {
      const meter = meterOfBody({ type: 'message', content: [], stop_reason: 'end_turn', usage });
      assert.deepEqual([meter.usageInvalid(), meter.reported(), meter.usage()], [true, 'none', null]);
    }
  });

  test('a count that is null or absent is not reported', () => {
    const rows: readonly (readonly [usage: object, reported: string])[] = [
      [{ input_tokens: 1, output_tokens: null }, 'prompt'],
      [{ input_tokens: null, output_tokens: 2 }, 'output'],
      [{ output_tokens: 2 }, 'output'],
      [{ input_tokens: 1 }, 'prompt'],
      [{ input_tokens: null, output_tokens: null }, 'none'],
      [{}, 'none'],
    ];
    for (const [usage, reported] of rows) {
      const meter = meterOfBody({ type: 'message', content: [], stop_reason: 'end_turn', usage });
      assert.deepEqual([meter.reported(), meter.usageInvalid()], [reported, false], JSON.stringify(usage));
    }
  });

  test('the output count of a stream is reported once message_delta has it', () => {
    const whole = readFixture('text.sse').toString();
    for (const usage of [
      '"usage":{"output_tokens":null}',
      '"usage":{}',
      '"usage":null',
      '"usage":{"input_tokens":3}',
    ]) {
      const meter = meterOf(Buffer.from(whole.replace('"usage":{"output_tokens":33}', usage)));
      assert.deepEqual([meter.state, meter.reported(), meter.usageInvalid()], ['finished', 'prompt', false], usage);
    }
    assert.equal(meterOf(Buffer.from(whole)).reported(), 'all');
    const spoilt = meterOf(
      Buffer.from(whole.replace('"usage":{"output_tokens":33}', '"usage":{"output_tokens":"33"}')),
    );
    assert.deepEqual([spoilt.reported(), spoilt.usageInvalid()], ['prompt', true]);
  });

  test('null counters are absent, not invalid', () => {
    for (const place of places.slice(2)) {
      const meter = meterOfBody({ type: 'message', content: [], stop_reason: 'end_turn', usage: place(null) });
      assert.equal(meter.usageInvalid(), false);
      assert.deepEqual(meter.usage(), { ...NO_USAGE, inputTokens: 1, outputTokens: 2 });
    }
  });

  test('an event that is not JSON breaks the answer, whichever it is', () => {
    const whole = readFixture('text.sse').toString();
    for (const frame of whole.split('\n\n').filter((text) => text.includes('data: {') && !text.includes('ping'))) {
      const meter = meterOf(Buffer.from(whole.replace(frame, frame.slice(0, -1))));
      assert.deepEqual([meter.state, meter.failure], ['failed', 'unreadable'], frame);
    }
    const odd = meterOf(Buffer.from(`event: oracle\ndata: hello\n\n${whole}`));
    assert.equal(odd.failure, 'unreadable');
    const ending = meterOf(Buffer.from(`event: ping\ndata: -\n\n${whole}data: [DONE]\n\n`));
    assert.equal(ending.state, 'finished');
  });
});

describe('a whole answer', () => {
  test('without tokens and without a reason is empty', () => {
    const usage = { input_tokens: 4, output_tokens: 0 };
    assert.equal(meterOfBody({ type: 'message', content: [], stop_reason: null, usage }).state, 'empty');
  });

  test('that only warmed the cache is finished and charged', () => {
    const usage = { input_tokens: 4, cache_creation_input_tokens: 2000, output_tokens: 0 };
    const meter = meterOfBody({ type: 'message', content: [], stop_reason: 'max_tokens', usage });
    assert.equal(meter.state, 'finished');
    assert.equal(meter.usage()?.cacheWriteTokens, 2000);
  });

  test('that is an error in an answer of status 200 has failed', () => {
    assert.equal(meterOfBody({ type: 'error', error: { type: 'api_error', message: 'no' } }).state, 'failed');
    assert.equal(meterOfBody({ error: { message: 'no', code: 500 } }).state, 'failed');
  });

  test('that is not a message has failed', () => {
    for (const body of ['<html>nginx</html>', '', '[]', '{}', '{"type":"message"}', 'null']) {
      const meter = new AnthropicMessagesMeter();
      meter.body(new WholeAnswer(Buffer.from(body)));
      assert.equal(meter.state, 'failed', body);
      assert.equal(meter.usage(), null);
    }
  });
});

describe('the quick measure of a delta', () => {
  const fields = { text_delta: 'text', thinking_delta: 'thinking', input_json_delta: 'partial_json' } as const;

  test('agrees with parsing it as JSON, or returns -1', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^["\\\n{}:,a-z]*$/));
    const type = fc.constantFrom('text_delta', 'thinking_delta', 'input_json_delta');
    fc.assert(
      fc.property(type, text, fc.nat(9), (type, text, padding) => {
        const delta = { type, [fields[type as keyof typeof fields]]: text };
        const json = JSON.stringify({ type: 'content_block_delta', index: 0, delta });
        const measured = measureDelta(Buffer.from(json.slice(0, -1) + '}'.padStart(padding)));
        if (measured !== -1) assert.equal(measured, Buffer.byteLength(deltaText(delta)));
        // Only `\u` escapes and space between the braces are left to the parser.
        else assert.ok(/\\u/.test(json) || padding > 1, json);
      }),
    );
  });

  test('does not trust a delta with more than the text', () => {
    const json =
      '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"","estimated_tokens":50}}';
    assert.equal(measureDelta(Buffer.from(json)), -1);
  });

  test('leaves what may not be JSON to the parser', () => {
    for (const json of [
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\\x"}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\nb"}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}}',
      '{"type":"content_block_delta","index":,"delta":{"type":"text_delta","text":"a"}}',
      '{"type":"content_block_delta",,"index":0,"delta":{"type":"text_delta","text":"a"}}',
    ]) {
      assert.equal(measureDelta(Buffer.from(json)), -1, json);
      assert.throws(() => JSON.parse(json));
    }
  });

  test('does not read beyond a delta that is cut', () => {
    const json = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\\n\\"b"}}';
    for (let end = 0; end < json.length - 1; end += 1) {
      assert.equal(measureDelta(Buffer.from(json.slice(0, end))), -1, json.slice(0, end));
    }
  });
});

function meterOf(stream: Buffer): AnthropicMessagesMeter {
  const meter = new AnthropicMessagesMeter();
  for (const frame of framesOf(stream)) meter.frame(frame);
  return meter;
}

function meterOfBody(body: unknown): AnthropicMessagesMeter {
  const meter = new AnthropicMessagesMeter();
  meter.body(new WholeAnswer(Buffer.from(JSON.stringify(body))));
  return meter;
}
