/**
 * Goal: usage and ending of an answer are metered correctly, whatever providers send. Method: tables of usage reports and streams; the
 * vendors' streams are in `openai-chat.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE, type ReportedParts, type Usage } from '../../../core/usage.ts';
import { encodeSse, SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import type { MeterState } from '../../interface/meter.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { OpenaiChatMeter } from './meter.ts';
import { readUsage } from './read-usage.ts';

test('a usage report becomes counters that do not overlap', () => {
  const rows: readonly (readonly [object, Partial<Usage>])[] = [
    [
      { prompt_tokens: 10, completion_tokens: 5 },
      { inputTokens: 10, outputTokens: 5 },
    ],
    [
      tokens(10, 5, { prompt_tokens_details: null, completion_tokens_details: null }),
      { inputTokens: 10, outputTokens: 5 },
    ],
    [
      tokens(100, 5, { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30, audio_tokens: 4 } }),
      { inputTokens: 6, cacheReadTokens: 60, cacheWriteTokens: 30, inputAudioTokens: 4, outputTokens: 5 },
    ],
    [
      tokens(100, 5, { prompt_tokens_details: { cached_tokens: 98, audio_tokens: 50 } }),
      { inputTokens: 0, cacheReadTokens: 98, inputAudioTokens: 2, outputTokens: 5 },
    ],
    [
      tokens(10, 50, { completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 5 }, total_tokens: 60 }),
      { inputTokens: 10, outputTokens: 45, outputAudioTokens: 5, reasoningTokens: 30 },
    ],
    [
      tokens(495, 144, { prompt_cache_hit_tokens: 320, prompt_cache_miss_tokens: 175 }),
      { inputTokens: 175, cacheReadTokens: 320, outputTokens: 144 },
    ],
    [tokens(9, 3, { cached_tokens: 4 }), { inputTokens: 5, cacheReadTokens: 4, outputTokens: 3 }],
    [tokens(77, 12, { num_cached_tokens: 76 }), { inputTokens: 1, cacheReadTokens: 76, outputTokens: 12 }],
    // Reasoning not included in completion_tokens: reported and proven by the total, or by being larger.
    [
      tokens(291, 26, { total_tokens: 513, completion_tokens_details: { reasoning_tokens: 196 } }),
      { inputTokens: 291, outputTokens: 222, reasoningTokens: 196 },
    ],
    [
      tokens(291, 26, { completion_tokens_details: { reasoning_tokens: 196 } }),
      { inputTokens: 291, outputTokens: 222, reasoningTokens: 196 },
    ],
    // Reasoning that only the total shows.
    [tokens(35, 12, { total_tokens: 109 }), { inputTokens: 35, outputTokens: 74, reasoningTokens: 62 }],
    // More reasoning than output, although the total includes it: a vendor that counts in two ways.
    [
      tokens(43, 10, { total_tokens: 53, completion_tokens_details: { reasoning_tokens: 11 } }),
      { inputTokens: 43, outputTokens: 10, reasoningTokens: 10 },
    ],
    // Tokens that were written and read in one call are in both counts.
    [
      tokens(2168, 5, { prompt_tokens_details: { cached_tokens: 2161, cache_write_tokens: 2161 } }),
      { inputTokens: 7, cacheWriteTokens: 2161, outputTokens: 5 },
    ],
    // A total that counts cached tokens separately hides no output.
    [
      tokens(35, 12, { total_tokens: 77, prompt_tokens_details: { cached_tokens: 30 } }),
      { inputTokens: 5, cacheReadTokens: 30, outputTokens: 12 },
    ],
    [tokens(35, 12, { total_tokens: 12 }), { inputTokens: 35, outputTokens: 12 }],
    [
      tokens(1, 1, { server_tool_use_details: { web_search_requests: 3 } }),
      { inputTokens: 1, outputTokens: 1, webSearches: 3 },
    ],
  ];
  for (const [report, expected] of rows) {
    const reading = { usage: { ...NO_USAGE, ...expected }, reported: 'all', isInvalid: false };
    assert.deepEqual(readUsage(report), reading, JSON.stringify(report));
  }
});

test('an invalid count is not reported, and differs from an absent one', () => {
  const details = (prompt: object, completion: object) =>
    tokens(10, 5, { prompt_tokens_details: prompt, completion_tokens_details: completion });
  const rows: readonly (readonly [report: unknown, reported: ReportedParts, isInvalid: boolean])[] = [
    [tokens(1, null), 'prompt', false],
    [tokens(null, 5), 'output', false],
    [{ completion_tokens: 5 }, 'output', false],
    [{ prompt_tokens: 1, total_tokens: 6 }, 'prompt', false],
    ...[-1, 1.5, '10', 1e30, 2 ** 40, true, {}].flatMap(
      (bad) =>
        [
          [tokens(bad, 5), 'output', true],
          [tokens(1, bad), 'prompt', true],
          [tokens(bad, bad), 'none', true],
        ] as const,
    ),
    [details({ cached_tokens: 11 }, {}), 'output', true],
    [details({ cached_tokens: 6, cache_write_tokens: 11 }, {}), 'output', true],
    [details({ cached_tokens: -1 }, {}), 'output', true],
    [details({ audio_tokens: 11 }, {}), 'output', true],
    [details({}, { audio_tokens: 6 }), 'prompt', true],
    [details({}, { reasoning_tokens: '3' }), 'prompt', true],
    [details({ cached_tokens: null, audio_tokens: null }, { reasoning_tokens: null }), 'all', false],
    [tokens(10, 5, { total_tokens: -3 }), 'all', true],
    [tokens(10, 5, { total_tokens: '15' }), 'all', true],
    [tokens(10, 5, { total_tokens: null }), 'all', false],
    [tokens('x', 5, { total_tokens: 900 }), 'output', true],
    [tokens(10, 5, { server_tool_use_details: { web_search_requests: -1 } }), 'all', true],
    ['many', 'none', true],
    [[], 'none', true],
  ];
  for (const [report, reported, isInvalid] of rows) {
    const reading = readUsage(JSON.parse(JSON.stringify(report)));
    const text = JSON.stringify(report);
    assert.equal(reading?.reported ?? 'none', reported, text);
    assert.equal(reading?.isInvalid ?? false, isInvalid, text);
    for (const count of Object.values(reading?.usage ?? {})) assert.ok(Number.isSafeInteger(count) && count >= 0, text);
    if (reported === 'output') assert.equal(reading?.usage.outputTokens, 5, text);
  }
  for (const report of [undefined, null, {}, { prompt_tokens: null, completion_tokens: null }]) {
    assert.equal(readUsage(report), null);
  }
});

test('the last usage of a stream counts, even if it is invalid', () => {
  const good = { choices: [], usage: tokens(4, 2) };
  const meter = metered([good, { choices: [], usage: tokens(4, 3) }]);
  assert.equal(meter.usage()?.outputTokens, 3);
  const spoilt = metered([good, { choices: [], usage: tokens(4, -3) }]);
  assert.deepEqual([spoilt.reported(), spoilt.usageInvalid()], ['prompt', true]);
  const corrected = metered([{ usage: tokens(4, -3) }, good]);
  assert.deepEqual([corrected.usage()?.outputTokens, corrected.usageInvalid()], [2, false]);
  assert.equal(metered([good, { choices: [], usage: null }]).usage()?.outputTokens, 2);
});

test('usage is found where vendors put it', () => {
  assert.equal(metered([{ choices: [], x_groq: { usage: tokens(1, 9) } }]).usage()?.outputTokens, 9);
  assert.equal(metered([{ choices: [{ index: 0, delta: {}, usage: tokens(1, 8) }] }]).usage()?.outputTokens, 8);
});

test('how a stream ended', () => {
  const text = choice(0, { content: 'hi' });
  const stop = choice(0, {}, 'stop');
  const rows: readonly (readonly [string, readonly Event[], MeterState, number?])[] = [
    ['nothing came', [], 'open'],
    ['cut after text', [text], 'open'],
    ['a reason without [DONE]', [text, stop], 'finished'],
    ['a reason and [DONE]', [text, stop, '[DONE]'], 'finished'],
    ['text and [DONE] without a reason', [text, '[DONE]'], 'finished'],
    ['a blank reason counts as none', [choice(0, { content: 'hi' }, '')], 'open'],
    ['text and [DONE] after a blank reason', [choice(0, { content: 'hi' }, ''), '[DONE]'], 'finished'],
    ['[DONE] alone', ['[DONE]'], 'empty'],
    ['an empty choice and [DONE]', [choice(0, { role: 'assistant', content: '' }), '[DONE]'], 'empty'],
    ['no text but a reason', [stop, '[DONE]'], 'finished'],
    ['no text but output tokens', [{ choices: [], usage: tokens(1, 7) }, '[DONE]'], 'finished'],
    ['no text but output tokens, and no [DONE]', [{ choices: [], usage: tokens(1, 7) }], 'open'],
    ['no output by the usage', [{ choices: [], usage: tokens(1, 0) }, '[DONE]'], 'empty'],
    ['one of two choices has ended, and [DONE]', [text, choice(1, { content: 'x' }), stop, '[DONE]'], 'finished', 2],
    [
      'a tool call without arguments is output',
      [choice(0, { tool_calls: [{ index: 0, function: { name: 'f' } }] }), '[DONE]'],
      'finished',
    ],
    ['one of two choices has ended', [text, choice(1, { content: 'x' }), stop], 'open', 2],
    ['the second choice was never seen, and no [DONE]', [text, stop], 'open', 2],
    ['the second choice was never seen, but [DONE]', [text, stop, '[DONE]'], 'finished', 2],
    ['both choices have ended', [text, choice(1, {}, 'length'), stop], 'finished', 2],
    ['a usage chunk with an empty choice after the end', [stop, choice(0, { content: '' })], 'finished'],
    ['an error', [text, { error: { message: 'no' } }, '[DONE]'], 'failed'],
    ['an error after a reason', [stop, { error: { message: 'no' } }], 'failed'],
    ['a reason that says error', [text, choice(0, {}, 'error')], 'failed'],
    ['a reason that says that it was broken off', [text, choice(0, {}, 'insufficient_system_resource')], 'failed'],
    ['an error of a choice', [text, { choices: [{ index: 0, delta: {}, error: { message: 'no' } }] }], 'failed'],
    ['an error in vLLM’s form', [{ object: 'error', message: 'no' }], 'failed'],
    ['data that is not JSON', [text, '{"choices":', stop, '[DONE]'], 'failed'],
  ];
  for (const [name, events, state, choices] of rows) assert.equal(metered(events, choices).state, state, name);
});

test('only [DONE] and an error are the very last frame', () => {
  assert.equal(metered([choice(0, {}, 'stop')]).ended, false);
  assert.equal(metered(['no json']).ended, false);
  assert.equal(metered(['[DONE]']).ended, true);
  assert.equal(metered([{ error: { message: 'no' } }]).ended, true);
});

test('a failure in the middle of a stream is classified', () => {
  assert.equal(metered(['no json']).failure, 'unreadable');
  assert.equal(metered([choice(0, {}, 'error')]).failure, 'reason');
  assert.equal(metered([{ error: { message: 'no' } }]).failure, null);
  assert.equal(metered([choice(0, { content: 'hi' }), '[DONE]']).failure, null);
});

test('delivered bytes are those of text, reasoning and arguments, as UTF-8', () => {
  const rows: readonly (readonly [object, number])[] = [
    [{ content: 'é👋' }, 6],
    [{ content: null, refusal: 'No' }, 2],
    [{ reasoning: 'abc', reasoning_content: 'abc', reasoning_details: [{ text: 'abc' }] }, 3],
    [{ tool_calls: [{ function: { name: 'f', arguments: '{}' } }, { custom: { input: 'xyz' } }] }, 5],
    [{ tool_calls: [{ function: { arguments: { a: 1 } } }] }, 7],
    [{ function_call: { arguments: '{}' } }, 2],
    [{ audio: { transcript: 'hello', data: 'AAAA' } }, 5],
    [
      {
        content: [
          { type: 'thinking', thinking: [{ text: 'ab' }] },
          { type: 'text', text: 'c' },
        ],
      },
      3,
    ],
    [{ content: 7, tool_calls: 'x' }, 0],
  ];
  for (const [delta, bytes] of rows) assert.equal(metered([choice(0, delta)]).delivered().outputBytes, bytes);
});

test('a whole answer with an output cap reason is finished, and one without content is empty', () => {
  const rows: readonly (readonly [unknown, MeterState])[] = [
    [{ choices: [{ message: { content: 'hi' }, finish_reason: null }] }, 'finished'],
    [{ choices: [{ message: { content: '' }, finish_reason: null }] }, 'empty'],
    [{ choices: [] }, 'empty'],
    [{ choices: [{ message: { content: 'hi' }, finish_reason: 'error' }] }, 'failed'],
    [{ error: { message: 'no' }, choices: [] }, 'failed'],
    [{ object: 'list', data: [] }, 'failed'],
    [[], 'failed'],
    [{ choices: [], usage: tokens(1, 7) }, 'finished'],
    [{ choices: [{ finish_reason: 'stop' }] }, 'failed'],
    [{ choices: [{ message: { content: 'hi' } }, {}] }, 'finished'],
  ];
  for (const [body, state] of rows) {
    const meter = new OpenaiChatMeter(1);
    meter.body(new WholeAnswer(Buffer.from(JSON.stringify(body))));
    assert.equal(meter.state, state, JSON.stringify(body));
  }
});

/** A chunk, or the raw data of a frame. */
type Event = object | string;

function metered(events: readonly Event[], choices = 1): OpenaiChatMeter {
  const meter = new OpenaiChatMeter(choices);
  const splitter = new SseSplitter();
  for (const event of events) {
    const bytes = encodeSse(null, typeof event === 'string' ? event : JSON.stringify(event));
    for (const frame of splitter.push(bytes)) meter.frame(frame);
  }
  return meter;
}

function tokens(prompt: unknown, completion: unknown, more: object = {}): object {
  return { prompt_tokens: prompt, completion_tokens: completion, ...more };
}

function choice(index: number, delta: object, reason: string | null = null): object {
  return { choices: [{ index, delta, finish_reason: reason }] };
}
