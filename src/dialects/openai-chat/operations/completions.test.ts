/**
 * Goal: text completions keep the contract of relayed answers, however they are cut, and their requests are bounded by what they ask for.
 * Method: the contract of dialects with the part's own functions, over fixtures written by hand; tables of requests.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { isStreamed } from '../../../core/body.ts';
import { GatewayError } from '../../../core/errors.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import { encodeSse, SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { type AnswerFixture, inboundOf, type Metered, relayedAgain } from '../../contract.ts';
import { plainContext } from '../../contract-fixture.ts';
import type { RelayDialect } from '../../dialect.ts';
import type { Peek } from '../../interface/peek.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { relayContract } from '../../relay-contract.ts';
import { openaiChat } from '../openai-chat.ts';
import { type Quirks, usualQuirks } from '../quirks.ts';
import { completions } from './completions.ts';

const { peek, openRelay } = completions;
const dialect: RelayDialect<'openai-chat', Quirks> = {
  ...{ ...openaiChat, peek },
  patchRequest(inbound, asked, edits) {
    const { body, ...rest } = completions.patchRequest?.(inbound, asked, edits) ?? assert.fail('it has one');
    assert(!isStreamed(body));
    return { ...rest, body };
  },
  openRelay: (asked, context) => openRelay(asked, { ...context, unitLine: () => 0 }),
};

function fixture(file: string, upstreamModel: string, metered: Metered, asked: object = {}): AnswerFixture {
  const bytes = readFileSync(new URL(`fixtures/${file}`, import.meta.url));
  const request = JSON.stringify({ model: 'vendor/x', prompt: 'x', stream: file.endsWith('.sse'), ...asked });
  return { name: file, bytes, upstreamModel, request, metered };
}

const INSTRUCT = 'gpt-3.5-turbo-instruct:20230824-v2';

relayContract(
  dialect,
  {
    quirks: usualQuirks,
    requests: [
      '{"model":"vendor/x","prompt":"def f(n):","suffix":"  return n"}',
      '{ "prompt" : [[1,2],[3]] ,\n "n": 2, "model" :\t"vendor\\/x" , "logprobs":5, "seed":12345678901234567890 }',
      '{"prompt":["a","b"],"model":"vendor/x","max_tokens":null,"stop":["\\n"],"echo":true}',
    ],
    streams: [
      fixture('text.sse', INSTRUCT, {
        state: 'finished',
        usage: { ...NO_USAGE, inputTokens: 31, outputTokens: 8 },
        outputBytes: Buffer.byteLength(' + fib(n - "3")\n — é👋'),
        finishReason: 'length',
        upstreamId: 'cmpl-T1',
      }),
      fixture(
        'choices.sse',
        'local/coder',
        {
          state: 'finished',
          usage: null,
          outputBytes: 4 * 'a0 b0 !'.length,
          finishReason: 'stop',
          upstreamId: 'cmpl-M',
        },
        { prompt: ['one', 'two'], n: 2 },
      ),
      fixture('logprobs.sse', 'vendor/base-7b', {
        state: 'finished',
        usage: { ...NO_USAGE, inputTokens: 4, outputTokens: 3 },
        outputBytes: ' one two'.length,
        finishReason: 'eos',
        upstreamId: 'o-1',
      }),
      fixture('cut.sse', 'local/coder', {
        state: 'failed',
        usage: null,
        outputBytes: 'half'.length,
        finishReason: null,
        upstreamId: 'cmpl-C',
      }),
    ],
    answers: [
      fixture('text.json', INSTRUCT, {
        state: 'finished',
        usage: { ...NO_USAGE, inputTokens: 14, outputTokens: 16 },
        outputBytes: Buffer.byteLength('\n\nGrüße, "you"'),
        finishReason: 'length',
        upstreamId: 'cmpl-W',
      }),
    ],
    errors: [],
  },
  (what) => `completions: ${what}`,
);

function peeked(fields: object): Peek {
  return peek(inboundOf(openaiChat, JSON.stringify({ model: 'vendor/x', ...fields })));
}

test('each prompt is answered for itself, as often as asked, and all candidates of the best are made', () => {
  const rows: readonly (readonly [object, choices: number, requests: number | undefined])[] = [
    [{ prompt: 'a' }, 1, undefined],
    [{ prompt: null }, 1, undefined],
    [{}, 1, undefined],
    [{ prompt: [1, 2, 3] }, 1, undefined],
    [{ prompt: ['a'] }, 1, undefined],
    [{ prompt: ['a,"[', 'b', ''] }, 3, 3],
    [{ prompt: [[1, 2], [3]], n: 4 }, 8, 2],
    [{ prompt: 'a', n: 2, best_of: 5 }, 5, undefined],
    [{ prompt: ['a', 'b'], n: 3, best_of: 2 }, 6, 2],
    [{ prompt: ['a', 'b'], best_of: 0 }, 2, 2],
  ];
  for (const [fields, choices, requests] of rows) {
    const read = peeked(fields);
    assert.deepEqual([read.choices, read.requests], [choices, requests], JSON.stringify(fields));
  }
});

test('a suffix is read again with every prompt', () => {
  const suffix = 'ﷺ end';
  const one = peeked({ prompt: 'a', suffix });
  const three = peeked({ prompt: ['a', 'b', 'c'], suffix });
  assert.equal(one.repeatedTokens, undefined);
  const bytes = Buffer.byteLength(JSON.stringify(suffix));
  assert.ok((three.repeatedTokens ?? 0) >= 2 * (bytes + 30), String(three.repeatedTokens));
  assert.equal(three.promptBytes, Buffer.byteLength(JSON.stringify(['a', 'b', 'c'])) + 3 * bytes);
});

test('what is no request for a completion, or more than it says, is refused', () => {
  const rows: readonly (readonly [object, param: string])[] = [
    [{ prompt: [] }, 'prompt'],
    [{ prompt: {} }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: [1, 'a'] }, 'prompt'],
    [{ prompt: [1, [2]] }, 'prompt'],
    [{ prompt: 'a', n: 0 }, 'n'],
    [{ prompt: 'a', n: 1e9 }, 'n'],
    [{ prompt: 'a', best_of: 129 }, 'best_of'],
    [{ prompt: 'a', best_of: 2, stream: true }, 'best_of'],
    [{ prompt: 'a', max_tokens: -1 }, 'max_tokens'],
    [{ prompt: 'a', max_completion_tokens: 5 }, 'max_completion_tokens'],
    [{ prompt: 'a', n_predict: 5 }, 'n_predict'],
    [{ prompt: 'a', use_beam_search: true }, 'use_beam_search'],
    [{ prompt: 'a', min_tokens: 50, max_tokens: 5 }, 'min_tokens'],
    [{ prompt: 'a', Best_Of: 5 }, 'Best_Of'],
    [{ prompt: 'a', Max_Tokens: 5 }, 'Max_Tokens'],
    [{ prompt: 'a', extra_body: { n: 5 } }, 'extra_body.n'],
    [{ prompt: 'a', stream: true, stream_options: 7 }, 'stream_options'],
    [{ prompt: 'a', echo: 'yes' }, 'echo'],
  ];
  for (const [fields, param] of rows)
    assert.throws(
      () => peeked(fields),
      (error) => error instanceof GatewayError && error.status === 400 && error.param === param,
      JSON.stringify(fields),
    );
});

test('what a short body only names has no bound', () => {
  for (const fields of [{ images: ['https://a.example/b.png'] }, { prompt_embeds: 'AAAA' }, { enable_search: true }])
    assert.equal(peeked({ prompt: 'a', ...fields }).promptUnbounded, true, JSON.stringify(fields));
  assert.equal(peeked({ prompt: 'a', images: null, enable_search: false }).promptUnbounded, false);
});

test('a cap of the gateway’s is written where the caller has none, and a stream asks for its usage', () => {
  const patched = (text: string, outputCap: number | null) => {
    const inbound = inboundOf(openaiChat, text);
    return dialect
      .patchRequest(inbound, peek(inbound), { model: 'up', outputCap, quirks: usualQuirks })
      .body.toString();
  };
  assert.equal(patched('{"model":"x","prompt":"a"}', 8), '{"max_tokens":8,"model":"up","prompt":"a"}');
  assert.equal(
    patched('{"model":"x","max_tokens":null,"provider":{"order":["a"]}}', 8),
    '{"model":"up","max_tokens":8}',
  );
  assert.deepEqual(JSON.parse(patched('{"stream":true,"prompt":"a","model":"x"}', 8)), {
    ...{ stream_options: { include_usage: true }, max_tokens: 8 },
    ...{ stream: true, prompt: 'a', model: 'up' },
  });
  assert.equal(
    patched('{"model":"up","stream":true,"stream_options":{"include_usage":true}}', null),
    '{"model":"up","stream":true,"stream_options":{"include_usage":true}}',
  );
});

test('the prompt that an answer repeats is no output', () => {
  const rows: readonly (readonly [asked: object, texts: readonly string[], outputBytes: number])[] = [
    [{ prompt: 'one "two"', echo: true }, ['one "two"'], 0],
    [{ prompt: ['a', 'b'], n: 2, echo: true }, ['a', 'a', 'b', 'b'], 0],
    [{ prompt: 'a', echo: true, max_tokens: 50 }, [`a${'x'.repeat(50)}`], 48],
    [{ prompt: [4, 5], echo: true, max_tokens: 0 }, ['long words of tokens'], 0],
    [{ prompt: 'a' }, ['a'], 1],
  ];
  for (const [asked, texts, outputBytes] of rows) {
    const read = peeked(asked);
    const { meter } = openRelay(read, { ...plainContext('x'), tokenizer: 'words' });
    const choices = texts.map((text, index) => ({ index, text, finish_reason: 'stop' }));
    meter.body(new WholeAnswer(Buffer.from(JSON.stringify({ choices }))));
    assert.equal(meter.delivered().outputBytes, outputBytes, JSON.stringify(asked));
    assert.equal(meter.state, 'finished');
  }
});

test('without asking a caller gets one empty choice, with a text, on the usage chunk', () => {
  const chunk = encodeSse(null, '{"model":"x","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}');
  const [frame] = new SseSplitter().push(chunk);
  assert(frame !== undefined);
  const relay = openRelay(peeked({ prompt: 'a', stream: true }), { ...plainContext('x'), cost: () => '0.5' });
  assert.equal(
    relay.frame(frame)?.toString(),
    'data: {"model":"x","choices":[{"index":0,"text":"","logprobs":null,"finish_reason":null}],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.5}}\n\n',
  );
});

test('what is no completion fails', () => {
  for (const body of ['{}', '{"choices":[{"message":{"content":"x"}}]}', '{"error":{"message":"no"}}', '[]', 'x']) {
    const { meter } = openRelay(peeked({ prompt: 'a' }), plainContext('x'));
    meter.body(new WholeAnswer(Buffer.from(body)));
    assert.equal(meter.state, 'failed', body);
  }
});

test('a chunk like the one before it is metered and edited as if it were parsed', () => {
  const asked = peeked({ prompt: 'a', stream: true });
  const context = { ...plainContext('mine'), cost: () => '0.5' };
  const chunk = fc.record({
    text: fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('"', '\\', 'é', '👋', '\n', '')),
    finish_reason: fc.constantFrom(null, null, null, 'stop'),
    logprobs: fc.constantFrom(null, null, { tokens: ['a'], text: 'b' }),
    index: fc.constantFrom(0, 0, 1),
  });
  let known = 0;
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 12 }), (chunks) => {
      const again = openRelay(asked, context);
      const each = openRelay(asked, context);
      let bytes = 0;
      for (const fields of chunks) {
        const data = JSON.stringify({ id: 'c', choices: [fields], model: 'up' });
        const frame = () => new SseSplitter().push(encodeSse(null, data))[0] as never;
        const fresh = openRelay(asked, context).frame(frame());
        const repeated = relayedAgain(again, encodeSse(null, data));
        if (repeated !== null) known += 1;
        assert.equal((repeated ?? again.frame(frame()))?.toString(), fresh?.toString());
        assert.equal(each.frame(frame())?.toString(), fresh?.toString());
        bytes += Buffer.byteLength(fields.text);
        assert.deepEqual([again.meter.delivered().outputBytes, each.meter.delivered().outputBytes], [bytes, bytes]);
        assert.equal(again.meter.state, each.meter.state);
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(known > 50, `only ${known} chunks were known`);
});
