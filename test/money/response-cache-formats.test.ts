/**
 * Goal: in every format of callers, relayed and translated, an equal request gets the same bytes, and what may not be given again is not.
 * Method: the whole gateway, and a scripted provider in two formats.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { freeAgain } from '../support/free-again.ts';
import {
  endsProperly,
  eventsOf,
  OPEN_MODEL,
  type OpenBench,
  openBench,
  openBenchWith,
} from '../support/open-gateway.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, event, stream } from '../support/upstream-scripts.ts';

const CACHED = { 'x-turnpike-cache': 'true' };

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());
beforeEach(() => bench.upstream.play(answerWell));

let last = 0;
const news = () => `a prompt nobody sent before, ${++last}`;

async function call(path: string, body: object, headers: Readonly<Record<string, string>> = CACHED) {
  const answer = await bench.post(path, body, headers);
  return { status: answer.status, bytes: await answer.text(), cache: answer.headers.get('x-turnpike-cache'), answer };
}

/** What each format's callers send; Google's name the model, and whether it is a stream, in the path. */
const FORMATS: readonly {
  readonly name: string;
  path(stream: boolean): string;
  body(content: string, stream: boolean): object;
}[] = [
  {
    name: 'Responses',
    path: () => '/v1/responses',
    body: (content, isStream) => ({ model: OPEN_MODEL, input: content, stream: isStream, max_output_tokens: 99 }),
  },
  {
    name: 'Gemini',
    path: (isStream) =>
      `/v1beta/models/${OPEN_MODEL}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (content) => ({
      contents: [{ role: 'user', parts: [{ text: content }] }],
      generationConfig: { maxOutputTokens: 99 },
    }),
  },
  {
    name: 'Gemini, as an array',
    path: (isStream) => `/v1beta/models/${OPEN_MODEL}:${isStream ? 'streamGenerateContent' : 'generateContent'}`,
    body: (content) => ({
      contents: [{ role: 'user', parts: [{ text: content }] }],
      generationConfig: { maxOutputTokens: 99 },
    }),
  },
];

for (const { name, path, body } of FORMATS)
  describe(`${name}, translated`, () => {
    for (const isStream of [false, true])
      test(`the same bytes again but for the cost, ${isStream ? 'streamed' : 'whole'}`, async () => {
        const content = news();
        const first = await call(path(isStream), body(content, isStream));
        const second = await call(path(isStream), body(content, isStream));
        assert.deepEqual([first.status, first.cache], [200, 'miss'], first.bytes);
        assert.deepEqual([second.cache, second.bytes], ['hit', freeAgain(first.bytes)]);
        assert.equal(first.bytes !== second.bytes, name === 'Responses', 'the others never say what a call costs');
        assert.equal(second.answer.headers.get('content-type'), first.answer.headers.get('content-type'));
      });

    test('a stream from a whole answer', async () => {
      const content = news();
      await call(path(false), body(content, false));
      const streamed = await call(path(true), body(content, true));
      assert.equal(streamed.cache, 'hit');
      assert.ok(endsProperly(streamed.bytes), streamed.bytes);
      assert.match(streamed.bytes, /Hi you/);
    });
  });

describe('parts of answers', () => {
  const path = '/v1/messages';
  const body = (content: string, isStream: boolean) => ({
    ...{ model: OPEN_MODEL, max_tokens: 2_000, stream: isStream },
    messages: [{ role: 'user', content }],
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
  });

  test('a tool call is written in the other form, with the same arguments', async () => {
    const content = news();
    bench.upstream.play(
      stream(blocks([{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }], ['{"at":', '9007199254740993}'])),
    );
    const streamed = await call(path, body(content, true));
    const whole = await call(path, body(content, false));
    assert.deepEqual([streamed.cache, whole.cache], ['miss', 'hit']);
    const answer = JSON.parse(whole.bytes) as { stop_reason: string; content: readonly { name: string }[] };
    assert.deepEqual([answer.stop_reason, answer.content.map(({ name }) => name)], ['tool_use', ['look']]);
    assert.match(whole.bytes, /"at": ?9007199254740993\b/, 'the digits stay');
  });

  test('thoughts are given again as they were sent, and asked for again in the other form', async () => {
    const content = news();
    const thinking = blocks([{ type: 'thinking', thinking: 'Hm', signature: 'c2lnbmVk' }], []);
    bench.upstream.play(stream(thinking));
    const first = await call(path, body(content, true));
    const again = await call(path, body(content, true));
    assert.deepEqual([first.cache, again.cache, again.bytes], ['miss', 'hit', first.bytes]);
    assert.match(again.bytes, /c2lnbmVk/);
    bench.upstream.play(answerWell);
    assert.equal((await call(path, body(content, false))).cache, 'miss');
  });
});

test('stream options make another stream, and with usage it has usage', async () => {
  const path = '/v1/chat/completions';
  const content = news();
  const body = (options: object) => ({
    model: OPEN_MODEL,
    max_tokens: 9,
    messages: [{ role: 'user', content }],
    ...options,
  });
  const plain = await call(path, body({ stream: true }));
  const withUsage = await call(path, body({ stream: true, stream_options: { include_usage: true } }));
  assert.deepEqual([plain.cache, withUsage.cache], ['miss', 'hit']);
  assert.ok(eventsOf(withUsage.bytes).some((each) => (each as { usage?: object | null }).usage != null));
});

test("the outcome is in OpenRouter's header too, for those who ask with theirs", async () => {
  const body = { model: OPEN_MODEL, max_tokens: 9, messages: [{ role: 'user', content: news() }] };
  const asked = { 'x-openrouter-cache': 'true', 'x-openrouter-cache-ttl': '60' };
  const outcomes: (string | null)[] = [];
  for (const headers of [asked, asked, { ...asked, 'x-openrouter-cache-clear': 'true' }, CACHED])
    outcomes.push((await call('/v1/chat/completions', body, headers)).answer.headers.get('x-openrouter-cache-status'));
  assert.deepEqual(outcomes, ['MISS', 'HIT', 'MISS', null]);
});

test('an answer of a later model of a fallback is not kept for the first', async () => {
  const models = ['one', 'two'].map((name) => ({
    ...{ id: `lab/${name}`, upstream: name, prices: { input: 1, output: 5 }, outputCap: 1_000 },
  }));
  const upstream = await startScriptedUpstream((exchange) =>
    exchange.json['model'] === 'one' ? exchange.whole(500, '{}') : answerWell(exchange),
  );
  const lab = {
    name: 'lab',
    kind: 'custom',
    origin: upstream.origin,
    credential: 'c',
    dialects: ['openai-chat'],
    models,
  };
  const own = await openBenchWith(upstream, { providers: [lab] });
  try {
    const body = {
      model: 'lab/one',
      models: ['lab/one', 'lab/two'],
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
    };
    for (let index = 0; index < 2; index += 1) {
      const answer = await own.post('/v1/chat/completions', body, CACHED);
      assert.equal(answer.status, 200, await answer.text());
      assert.equal(answer.headers.get('x-turnpike-cache'), 'miss');
    }
  } finally {
    await own.close();
  }
});

test('with an idempotency key too, the first answer of that key counts, and a new key gets the kept one', async () => {
  const path = '/v1/chat/completions';
  const body = { model: OPEN_MODEL, max_tokens: 9, messages: [{ role: 'user', content: news() }] };
  const first = await call(path, body, { ...CACHED, 'idempotency-key': 'one' });
  const retried = await call(path, body, { ...CACHED, 'idempotency-key': 'one' });
  assert.equal(retried.answer.headers.get('idempotent-replayed'), 'true');
  const other = await call(path, body, { ...CACHED, 'idempotency-key': 'two' });
  assert.deepEqual([other.cache, other.bytes, retried.bytes], ['hit', freeAgain(first.bytes), first.bytes]);
  const again = await call(path, body, { ...CACHED, 'idempotency-key': 'two' });
  assert.equal(again.answer.headers.get('idempotent-replayed'), 'true');
});

test('a caller that leaves while it waits for an equal call changes nothing for the others', async () => {
  const path = '/v1/chat/completions';
  const body = { model: OPEN_MODEL, max_tokens: 9, messages: [{ role: 'user', content: news() }] };
  const asked = bench.upstream.nextExchange();
  const { promise: release, resolve } = Promise.withResolvers<void>();
  bench.upstream.play(async (exchange: Exchange) => {
    await release;
    await answerWell(exchange);
  });
  const first = call(path, body);
  await asked;
  const leaving = new AbortController();
  const waiting = bench.nextCall();
  const left = fetch(`${bench.url}${path}`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json', ...CACHED },
    body: JSON.stringify(body),
  });
  await waiting;
  const patient = call(path, body);
  leaving.abort();
  await assert.rejects(left);
  resolve();
  assert.deepEqual([(await first).cache, (await patient).cache], ['miss', 'hit']);
});

describe('answers of a provider that speaks Responses', () => {
  const path = '/v1/responses';
  let upstream: ScriptedUpstream;
  let own: OpenBench;
  before(async () => {
    upstream = await startScriptedUpstream((exchange) => exchange.whole(200, JSON.stringify(RESPONSE)));
    const models = [{ id: OPEN_MODEL, upstream: 'scripted-1', prices: { input: 1, output: 5, webSearch: 0.01 } }];
    const lab = { name: 'lab', kind: 'custom', origin: upstream.origin, dialects: ['openai-responses'], models };
    own = await openBenchWith(upstream, { providers: [lab] });
  });
  after(() => own.close());

  async function secondOf(changes: object): Promise<string | null> {
    const body = { model: OPEN_MODEL, max_output_tokens: 99, input: news(), ...changes };
    const outcomes: (string | null)[] = [];
    for (let index = 0; index < 2; index += 1) {
      const answer = await own.post(path, body, CACHED);
      assert.equal(answer.status, 200, await answer.text());
      outcomes.push(answer.headers.get('x-turnpike-cache'));
    }
    assert.equal(outcomes[0], 'miss');
    return outcomes[1] ?? null;
  }

  test('are kept if the provider does not keep them, and ran no tool', async () => {
    assert.equal(await secondOf({ store: false }), 'hit');
    assert.equal(await secondOf({}), 'miss');
    assert.equal(await secondOf({ store: true }), 'miss');
    assert.equal(await secondOf({ store: false, tools: [{ type: 'web_search' }], max_tool_calls: 1 }), 'miss');
  });
});

const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'scripted-1' },
  output: [
    {
      ...{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant' },
      content: [{ type: 'output_text', text: 'Hi you', annotations: [] }],
    },
  ],
  usage: {
    ...{ input_tokens: 5, output_tokens: 2, total_tokens: 7 },
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
};

/** A streamed message with these blocks; the pieces are the arguments of the first. */
function blocks(
  all: readonly { readonly type: string; readonly [field: string]: unknown }[],
  pieces: readonly string[],
): string[] {
  const usage = { input_tokens: 5, output_tokens: 9 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted-1', content: [] };
  return [
    event({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } }),
    ...all.flatMap((block, index) => [
      event({
        type: 'content_block_start',
        index,
        content_block: block.type === 'thinking' ? { ...block, thinking: '', signature: '' } : block,
      }),
      ...(block.type === 'thinking'
        ? [
            event({
              type: 'content_block_delta',
              index,
              delta: { type: 'thinking_delta', thinking: block['thinking'] },
            }),
            event({
              type: 'content_block_delta',
              index,
              delta: { type: 'signature_delta', signature: block['signature'] },
            }),
          ]
        : pieces.map((partial_json) =>
            event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
          )),
      event({ type: 'content_block_stop', index }),
    ]),
    event({
      type: 'message_delta',
      delta: { stop_reason: all[0]?.type === 'tool_use' ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 9 },
    }),
    event({ type: 'message_stop' }),
  ];
}
