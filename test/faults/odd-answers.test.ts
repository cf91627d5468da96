/**
 * Goal: an answer that is odd but complete reaches the caller and is charged once, within reason.
 * Method: a raw provider sends what real ones have been seen to send; records are compared.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  endsProperly,
  eventsOf,
  type OpenBench,
  openBench,
  PATHS,
} from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { data, event, informational, stream, streamInPieces } from '../support/upstream-scripts.ts';
import { goodAnswers } from './fault.ts';

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

async function call(dialect: DialectUnderTest, streamed: boolean, script: Script) {
  bench.upstream.play(script);
  const settled = bench.nextRecord();
  const response = await bench.post(PATHS[dialect], chatBody(streamed));
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return { response, text, record: await settled };
}

function textOf(dialect: DialectUnderTest, text: string): string {
  return eventsOf(text)
    .map((item) => {
      const chunk = item as { choices?: { delta?: { content?: string } }[]; delta?: { text?: string } };
      return (dialect === 'openai-chat' ? chunk.choices?.[0]?.delta?.content : chunk.delta?.text) ?? '';
    })
    .join('');
}

describe('a stream written in an unusual way is read like any other', () => {
  const rewritten: Readonly<Record<string, (frames: readonly string[]) => string[]>> = {
    'with CR LF': (frames) => frames.map((frame) => frame.replaceAll('\n', '\r\n')),
    'with bare CR': (frames) => frames.map((frame) => frame.replaceAll('\n', '\r')),
    'with comments between and in its events': (frames) => frames.map((frame) => `: hello\n\n: again\n${frame}`),
    'without spaces after the colons': (frames) => frames.map((frame) => frame.replace(/^(\w+): /gm, '$1:')),
    'with a byte order mark': ([first = '', ...rest]) => [`\uFEFF${first}`, ...rest],
    'with unknown fields': (frames) => frames.map((frame) => `id: 7\nretry: 10\nodd\n${frame}`),
  };
  for (const [name, rewrite] of Object.entries(rewritten)) {
    for (const dialect of DIALECTS) {
      test(`${name}: ${dialect}`, async () => {
        const { text, record } = await call(dialect, true, stream(rewrite(goodAnswers[dialect].frames)));
        assert.equal(record.ending, 'complete');
        assert.equal(record.usageSource, 'reported');
        assert.equal(textOf(dialect, text), 'one two three four ');
        assert.ok(endsProperly(text));
      });
    }
  }

  for (const bytes of [1, 7, 100]) {
    for (const dialect of DIALECTS) {
      test(`in pieces of ${bytes} bytes: ${dialect}`, async () => {
        const whole = await call(dialect, true, stream(goodAnswers[dialect].frames));
        const pieces = await call(dialect, true, streamInPieces(goodAnswers[dialect].frames, bytes));
        assert.equal(pieces.text, whole.text);
        assert.equal(pieces.record.charge, whole.record.charge);
      });
    }
  }

  test('sixteen interim answers are skipped', async () => {
    const { record } = await call('openai-chat', false, informational(16));
    assert.equal(record.ending, 'complete');
  });
});

describe('usage', () => {
  const USAGES: readonly [string, unknown][] = [
    ['absent', undefined],
    ['null', null],
    ['negative', { prompt_tokens: -1, completion_tokens: -1, input_tokens: -1, output_tokens: -1 }],
    ['text', { prompt_tokens: 'x', completion_tokens: 'y', input_tokens: 'x', output_tokens: 'y' }],
    ['a number', 12],
    ['too large for any number', { prompt_tokens: 1e30, completion_tokens: 1, input_tokens: 1e30, output_tokens: 1 }],
    [
      'larger than any call',
      { prompt_tokens: 2 ** 52, completion_tokens: 2 ** 52, input_tokens: 2 ** 52, output_tokens: 2 ** 52 },
    ],
  ];
  for (const [name, usage] of USAGES) {
    for (const dialect of DIALECTS) {
      for (const streamed of [false, true]) {
        test(`${name}: the answer passes and is estimated: ${dialect}, ${streamed ? 'streamed' : 'whole'}`, async () => {
          const { record } = await call(dialect, streamed, withUsage(dialect, streamed, usage));
          assert.equal(record.ending, 'complete');
          assert.equal(record.usageSource, 'estimated');
          assert.ok(record.charge > 0n && record.charge < 1_000_000n, `${record.charge} nano-USD`);
        });
      }
    }
  }

  test('invalid usage is counted in a metric', async () => {
    const before = await alerts();
    await call('openai-chat', false, withUsage('openai-chat', false, { prompt_tokens: -1, completion_tokens: 2 }));
    assert.equal(await alerts(), before + 1);
  });

  async function alerts(): Promise<number> {
    const metrics = await bench.app.gateway.metrics.text();
    return Number(/turnpike_alerts_total\{kind="usage_invalid"\} (\d+)/.exec(metrics)?.[1] ?? 0);
  }

  test('reported again and again, growing, it is charged once at its last value: openai-chat', async () => {
    const usage = (completion: number) => ({
      prompt_tokens: 100,
      completion_tokens: completion,
      total_tokens: 100 + completion,
    });
    const chunk = (content: string, finish: string | null, completion: number) =>
      data({ choices: [{ index: 0, delta: { content }, finish_reason: finish }], usage: usage(completion) });
    const frames = [chunk('a', null, 1), chunk('b', null, 2), chunk('', 'stop', 2), 'data: [DONE]\n\n'];
    const { record } = await call('openai-chat', true, stream(frames));
    assert.deepEqual([record.usage.inputTokens, record.usage.outputTokens], [100, 2]);
    assert.equal(record.charge, 110_000n);
  });

  test('cumulative in two places, it is charged once: anthropic-messages', async () => {
    const { record } = await call('anthropic-messages', true, stream(goodAnswers['anthropic-messages'].frames));
    assert.deepEqual([record.usage.inputTokens, record.usage.outputTokens], [5, 4]);
    assert.equal(record.charge, 25_000n);
  });
});

describe('an end with any reason is an end', () => {
  const REASONS: Readonly<Record<DialectUnderTest, readonly string[]>> = {
    'openai-chat': ['length', 'content_filter', 'never_heard_of'],
    'anthropic-messages': ['max_tokens', 'refusal', 'never_heard_of'],
  };
  for (const dialect of DIALECTS) {
    for (const reason of REASONS[dialect]) {
      test(`${reason}: ${dialect}`, async () => {
        const frames = goodAnswers[dialect].frames.map((frame) => frame.replace(/"(stop|end_turn)"/, `"${reason}"`));
        const { text, record } = await call(dialect, true, stream(frames));
        assert.equal(record.ending, 'complete');
        assert.equal(record.finishReason, reason);
        assert.ok(record.charge > 0n);
        assert.ok(text.includes(`"${reason}"`));
      });
    }
  }

  test('nothing at all and no reason costs nothing', async () => {
    const frames = [data({ choices: [{ index: 0, delta: { content: '' }, finish_reason: null }] }), 'data: [DONE]\n\n'];
    const { record } = await call('openai-chat', true, stream(frames));
    assert.equal(record.ending, 'empty');
    assert.equal(record.charge, 0n);
  });
});

function withUsage(dialect: DialectUnderTest, streamed: boolean, usage: unknown): Script {
  const choice = { index: 0, finish_reason: 'stop' };
  const message = { type: 'message', role: 'assistant', id: 'm', model: 'scripted-1', usage };
  if (dialect === 'openai-chat') {
    if (!streamed) return whole({ choices: [{ ...choice, message: { role: 'assistant', content: 'Hi' } }], usage });
    return stream([data({ choices: [{ ...choice, delta: { content: 'Hi' } }], usage }), 'data: [DONE]\n\n']);
  }
  const text = { type: 'text', text: 'Hi' };
  if (!streamed) return whole({ ...message, content: [text], stop_reason: 'end_turn' });
  return stream([
    event({ type: 'message_start', message: { ...message, content: [], stop_reason: null } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
    event({ type: 'message_stop' }),
  ]);
}

function whole(body: object): Script {
  return (exchange) => exchange.whole(200, JSON.stringify(body));
}
