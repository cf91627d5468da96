/**
 * Goal: whatever is parsed is bounded first, in both directions; what is relayed is not. Method: bodies of many values, or
 * much text, to models of the other format and of the same one; answers likewise.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  errorCode,
  eventsOf,
  OPEN_MODEL,
  type OpenBench,
  openBenchWith,
  PATHS,
  scriptedProvider,
} from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, data, openaiBody, openaiFrames, stream } from '../support/upstream-scripts.ts';

const VALUES_MAX = 5_000;
const TEXT_MAX = 360_000;
/** Served in OpenAI's format and in Anthropic's. */
const EITHER_MODEL = OPEN_MODEL;
/** Served only as Chat Completions, and only as Messages. */
const CHAT_MODEL = 'scripted/chat';
const MESSAGES_MODEL = 'scripted/messages';
const COUNT = '/v1/messages/count_tokens';

const messages = [{ role: 'user', content: 'hi' }];
const many = (count: number) => Array.from({ length: count }, () => ({}));
/** Text as people write it, which cannot be mistaken for an image. */
const text = (bytes: number) => 'words\n'.repeat(bytes / 6);
const picture = (bytes: number) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${'iVBORw0KGgo+'.repeat(bytes / 12)}` },
});

let bench: OpenBench;
before(async () => {
  const upstream = await startScriptedUpstream(answerWell);
  const only = (name: string, dialect: string, id: string) => ({
    ...scriptedProvider(name, upstream.origin),
    dialects: [dialect],
    models: [{ id, upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 4096 }],
  });
  bench = await openBenchWith(upstream, {
    limits: { parsedValuesMax: VALUES_MAX, parsedTextBytesMax: TEXT_MAX },
    providers: [
      scriptedProvider('both', upstream.origin),
      only('chat', 'openai-chat', CHAT_MODEL),
      only('messages', 'anthropic-messages', MESSAGES_MODEL),
    ],
  });
});
after(() => bench.close());
beforeEach(() => bench.upstream.play(answerWell));

const chat = (model: string, more: object = {}) => ({ model, max_tokens: 9, messages, ...more });

async function send(path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await bench.post(path, body);
  return { status: response.status, text: await response.text() };
}

async function assertTooMuch(path: string, body: object, limit: string): Promise<void> {
  const { status, text: answer } = await send(path, body);
  assert.equal(status, 413, answer.slice(0, 300));
  assert.equal(errorCode(JSON.parse(answer)), 'request_too_large');
  assert.match(answer, new RegExp(`limits\\.${limit}`));
}

describe('a request that is translated', () => {
  const used = (input: object) => ({
    messages: [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'list', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }] },
    ],
    tools: [{ name: 'list', input_schema: { type: 'object' } }],
  });

  test('is served with as many values as allowed, and refused with more', async () => {
    const rest = 60;
    const most = await send(PATHS['anthropic-messages'], chat(CHAT_MODEL, used({ a: many(VALUES_MAX - rest) })));
    assert.equal(most.status, 200, most.text);
    await assertTooMuch(
      PATHS['anthropic-messages'],
      chat(CHAT_MODEL, used({ a: many(VALUES_MAX) })),
      'parsedValuesMax',
    );
    const tools = [
      { type: 'function', function: { name: 'f', parameters: { type: 'object', enum: many(VALUES_MAX) } } },
    ];
    await assertTooMuch(PATHS['openai-chat'], chat(MESSAGES_MODEL, { tools }), 'parsedValuesMax');
  });

  test('is refused for more text than allowed, and served with an image that is longer', async () => {
    const long = { messages: [{ role: 'user', content: text(TEXT_MAX + 6_000) }] };
    await assertTooMuch(PATHS['anthropic-messages'], chat(CHAT_MODEL, long), 'parsedTextBytesMax');
    await assertTooMuch(PATHS['openai-chat'], chat(MESSAGES_MODEL, long), 'parsedTextBytesMax');
    const unbroken = { messages: [{ role: 'user', content: 'words and words '.repeat(TEXT_MAX / 15) }] };
    await assertTooMuch(PATHS['openai-chat'], chat(MESSAGES_MODEL, unbroken), 'parsedTextBytesMax');
    const seen = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'what is it?' }, picture(3 * TEXT_MAX)] }],
    };
    const answer = await send(PATHS['openai-chat'], chat(MESSAGES_MODEL, seen));
    assert.equal(answer.status, 200, answer.text);
  });

  test('is refused when arguments written as strings exceed the limit together', async () => {
    const argumentsOf = (values: number) => JSON.stringify({ a: many(values) });
    const body = (values: number) => {
      const calls = [1, 2].map((index) => ({
        id: `call_${index}`,
        type: 'function',
        function: { name: 'list', arguments: argumentsOf(values / 2) },
      }));
      const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' }));
      return { messages: [...messages, { role: 'assistant', tool_calls: calls }, ...results] };
    };
    // Within the text limit, which counts arguments as the text they are.
    const little = await send(PATHS['openai-chat'], chat(MESSAGES_MODEL, body(20_000)));
    assert.equal(little.status, 200, little.text);
    const much = await send(PATHS['openai-chat'], chat(MESSAGES_MODEL, body(101_000)));
    assert.equal(much.status, 413, much.text.slice(0, 300));
    assert.match(much.text, /arguments of this request/);
  });

  test('whose tokens are counted here is bounded, too', async () => {
    await assertTooMuch(COUNT, { model: CHAT_MODEL, messages, metadata: { a: many(VALUES_MAX) } }, 'parsedValuesMax');
  });
});

test('a request that is relayed is not parsed, and has no such bounds', async () => {
  const body = chat(EITHER_MODEL, { metadata: { a: many(20 * VALUES_MAX) }, user: text(5 * TEXT_MAX) });
  for (const path of [PATHS['openai-chat'], PATHS['anthropic-messages']]) {
    const { status, text: answer } = await send(path, body);
    assert.equal(status, 200, answer.slice(0, 300));
  }
});

describe('an answer of a provider', () => {
  const whole = (more: object) => JSON.stringify({ ...JSON.parse(openaiBody('hi')), more });

  for (const [lane, path] of [
    ['relayed', PATHS['openai-chat']],
    ['translated', PATHS['anthropic-messages']],
  ] as const) {
    test(`${lane}, with more values than allowed is a 502 and costs nothing`, async () => {
      bench.upstream.play((exchange) => exchange.whole(200, whole(many(VALUES_MAX))));
      const ended = bench.nextRecord();
      const { status, text: answer } = await send(path, chat(CHAT_MODEL));
      assert.equal(status, 502, answer.slice(0, 300));
      assert.match(answer, /limits\.parsedValuesMax/);
      assert.equal((await ended).charge, 0n);
    });

    test(`${lane}, with more text than allowed is a 502; with an image that is longer it passes`, async () => {
      bench.upstream.play((exchange) => exchange.whole(200, openaiBody(text(TEXT_MAX + 6_000))));
      const long = await send(path, chat(CHAT_MODEL));
      assert.equal(long.status, 502, long.text.slice(0, 300));
      bench.upstream.play((exchange) => exchange.whole(200, whole([picture(3 * TEXT_MAX)])));
      assert.equal((await send(path, chat(CHAT_MODEL))).status, 200);
    });

    test(`${lane} and streamed, with an event of more values than allowed ends in an error`, async () => {
      const [first = '', ...rest] = openaiFrames(['one', 'two']);
      const event = data({ id: 'x', object: 'chat.completion.chunk', choices: [], more: many(VALUES_MAX) });
      bench.upstream.play(stream([first, event, ...rest]));
      const { status, text: answer } = await send(path, { ...chat(CHAT_MODEL), stream: true });
      assert.equal(status, 200);
      assert.match(answer, /limits\.parsedValuesMax/);
      assert.ok(!eventsOf(answer).includes('[DONE]') && !answer.includes('message_stop'), 'no proper end');
    });
  }
});
