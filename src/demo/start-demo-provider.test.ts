/**
 * Goal: the demo provider answers like the vendors, in everything that clients and the gateway use.
 * Method: real requests over loopback; usage is counted by hand from the tokenizer's one rule.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { type DemoProvider, startDemoProvider } from './start-demo-provider.ts';

const clock = new ManualClock();
let demo: DemoProvider;
before(async () => {
  demo = await startDemoProvider({ clock });
});
after(() => demo.close());

const user = (content: unknown) => ({ role: 'user', content });
const tool = {
  name: 'get_weather',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const openaiTools = [tool, { ...tool, name: 'get_time' }].map(({ name, schema }) => ({
  type: 'function',
  function: { name, parameters: schema },
}));
const anthropicTools = [tool, { ...tool, name: 'get_time' }].map(({ name, schema }) => ({
  name,
  input_schema: schema,
}));

describe('openai-chat', () => {
  test('an echo repeats the last user text and counts words', async () => {
    const { status, body } = await chat({ model: 'demo/echo', messages: [user('one two'), user('three four five')] });
    assert.equal(status, 200);
    assert.match(body.id, /^chatcmpl-\w{29}$/);
    assert.equal(body.model, 'echo-2026-11-01');
    assert.equal(body.choices[0].message.content, 'three four five');
    assert.equal(body.choices[0].finish_reason, 'stop');
    assert.deepEqual([body.usage.prompt_tokens, body.usage.completion_tokens, body.usage.total_tokens], [5, 3, 8]);
  });

  test('a stream opens with the role, has one token per chunk and ends with a finish reason and [DONE]', async () => {
    const chunks = await chatStream({ model: 'echo', messages: [user('a b c')], stream: true });
    assert.equal(chunks.at(-1), '[DONE]');
    const parsed = chunks.slice(0, -1).map((chunk) => JSON.parse(chunk));
    assert.deepEqual(parsed[0].choices[0].delta, { role: 'assistant', content: '', refusal: null });
    assert.deepEqual(
      parsed.slice(1, 4).map((chunk) => chunk.choices[0].delta.content),
      ['a', ' b', ' c'],
    );
    assert.deepEqual(parsed[4].choices[0], { index: 0, delta: {}, logprobs: null, finish_reason: 'stop' });
    assert.equal(parsed.length, 5);
    assert.ok(parsed.every((chunk) => !('usage' in chunk) && chunk.id === parsed[0].id));
  });

  test('usage is sent only if requested, in a chunk without choices', async () => {
    const chunks = await chatStream({
      model: 'echo',
      messages: [user('a b')],
      stream: true,
      stream_options: { include_usage: true },
    });
    const parsed = chunks.slice(0, -1).map((chunk) => JSON.parse(chunk));
    assert.ok(parsed.slice(0, -1).every((chunk) => chunk.usage === undefined));
    assert.deepEqual(parsed.at(-1).choices, []);
    assert.equal(parsed.at(-1).usage.total_tokens, 4);
  });

  test('an output cap ends the answer with the finish reason length', async () => {
    const messages = [user('tokens=50 rate=0')];
    const { body } = await chat({ model: 'lorem', messages, max_completion_tokens: 7 });
    assert.equal(body.choices[0].finish_reason, 'length');
    assert.equal(body.choices[0].message.content, 'lorem ipsum dolor sit amet consectetur adipiscing');
    assert.equal(body.usage.completion_tokens, 7);
  });

  test('tools are called with valid arguments, in parallel if requested, and their results repeated', async () => {
    const messages: unknown[] = [user('parallel please')];
    const called = (await chat({ model: 'tools', messages, tools: openaiTools })).body.choices[0];
    assert.equal(called.finish_reason, 'tool_calls');
    assert.equal(called.message.content, null);
    assert.deepEqual(
      called.message.tool_calls.map((call: { function: unknown }) => call.function),
      [
        { name: 'get_weather', arguments: '{"city":"demo"}' },
        { name: 'get_time', arguments: '{"city":"demo"}' },
      ],
    );
    messages.push(called.message);
    for (const [index, call] of called.message.tool_calls.entries()) {
      messages.push({ role: 'tool', tool_call_id: call.id, content: `result ${index}` });
    }
    const answered = (await chat({ model: 'tools', messages, tools: openaiTools })).body.choices[0];
    assert.equal(answered.message.content, 'get_weather: result 0\nget_time: result 1');
  });

  test('tool calls are streamed by index, with the id and the name once', async () => {
    const chunks = await chatStream({
      model: 'tools',
      messages: [user('parallel')],
      tools: openaiTools,
      stream: true,
    });
    const calls = chunks.slice(0, -1).flatMap((chunk) => JSON.parse(chunk).choices[0].delta.tool_calls ?? []);
    assert.deepEqual(
      calls.filter((call) => call.id !== undefined).map((call) => [call.index, call.function.name]),
      [
        [0, 'get_weather'],
        [1, 'get_time'],
      ],
    );
    const joined = calls.filter((call) => call.index === 1).map((call) => call.function.arguments);
    assert.equal(joined.join(''), '{"city":"demo"}');
  });

  test('a schema is answered with JSON of that schema', async () => {
    const schema = {
      type: 'object',
      properties: { answer: { type: 'integer', minimum: 3 }, kind: { enum: ['x', 'y'] } },
      required: ['answer', 'kind'],
    };
    const { body } = await chat({
      model: 'echo',
      messages: [user('hi')],
      response_format: { type: 'json_schema', json_schema: { name: 'result', schema } },
    });
    assert.deepEqual(JSON.parse(body.choices[0].message.content), { answer: 3, kind: 'x' });
  });

  test('a repeated long prompt is reported as cached, in steps of 128 tokens', async () => {
    const text = Array.from({ length: 1500 }, (_, index) => `w${index}`).join(' ');
    const request = { model: 'echo', messages: [{ role: 'system', content: text }, user('hi')], max_tokens: 1 };
    assert.equal((await chat(request)).body.usage.prompt_tokens_details.cached_tokens, 0);
    assert.equal((await chat(request)).body.usage.prompt_tokens_details.cached_tokens, 1408);
  });

  const refused: [string, object, number, string | null, string | null][] = [
    ['no messages', { messages: [] }, 400, 'empty_array', 'messages'],
    ['a missing list', { messages: undefined }, 400, 'missing_required_parameter', 'messages'],
    ['an unknown model', { model: 'nothing' }, 404, 'model_not_found', null],
    ['an unknown role', { messages: [{ role: 'king', content: 'x' }] }, 400, null, 'messages[0].role'],
    ['an empty list of parts', { messages: [user([])] }, 400, null, 'messages[0].content'],
    [
      'an orphan tool result',
      { messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] },
      400,
      null,
      'messages[0]',
    ],
    ['an output cap of 0', { max_tokens: 0 }, 400, 'integer_below_min_value', 'max_tokens'],
    ['a temperature below 0', { temperature: -0.5 }, 400, 'decimal_below_min_value', 'temperature'],
    ['stream_options without stream', { stream_options: {} }, 400, null, 'stream_options'],
    ['a bad tool name', { tools: [{ function: { name: 'a b' } }] }, 400, 'invalid_value', 'tools[0].function.name'],
  ];
  for (const [what, fields, status, code, param] of refused) {
    test(`${what} is refused`, async () => {
      const answer = await chat({ model: 'echo', messages: [user('hi')], ...fields });
      assert.equal(answer.status, status);
      assert.deepEqual([answer.body.error.code, answer.body.error.param], [code, param]);
    });
  }

  test('unanswered tool calls are refused', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [user('hi'), { role: 'assistant', content: null, tool_calls: [call] }, user('well?')];
    const { status, body } = await chat({ model: 'echo', messages });
    assert.equal(status, 400);
    assert.match(body.error.message, /call_1/);
  });

  test('without a credential the answer is 401', async () => {
    const response = await fetch(`${demo.origin}/v1/chat/completions`, { method: 'POST', body: '{}' });
    assert.equal(response.status, 401);
    assert.equal(JSON.parse(await response.text()).error.code, 'invalid_api_key');
  });
});

describe('anthropic-messages', () => {
  test('an echo is one text block with disjoint counters', async () => {
    const { status, body } = await message({ messages: [user('three four five')] });
    assert.equal(status, 200);
    assert.match(body.id, /^msg_01\w{22}$/);
    assert.deepEqual(body.content, [{ type: 'text', text: 'three four five' }]);
    assert.equal(body.stop_reason, 'end_turn');
    assert.deepEqual([body.usage.input_tokens, body.usage.output_tokens], [3, 3]);
  });

  test('a stream has its events in order, with final totals at the end', async () => {
    const events = await messageStream({ messages: [user('a b')], stream: true });
    assert.deepEqual(
      events.map((event) => event.type),
      [
        'message_start',
        'content_block_start',
        'ping',
        'content_block_delta',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ],
    );
    assert.equal(events[0].message.usage.output_tokens, 1);
    assert.deepEqual(events[6].delta, { stop_reason: 'end_turn', stop_sequence: null });
    assert.equal(events[6].usage.output_tokens, 2);
  });

  test('thinking comes first, signed, and is accepted back unchanged but not altered', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const request = { model: 'tools', max_tokens: 4096, thinking, tools: anthropicTools };
    const first = (await message({ ...request, messages: [user('go')] })).body;
    assert.deepEqual(
      first.content.map((block: { type: string }) => block.type),
      ['thinking', 'tool_use'],
    );
    const result = { type: 'tool_result', tool_use_id: first.content[1].id, content: 'sunny' };
    const replay = (content: unknown) =>
      message({ ...request, messages: [user('go'), { role: 'assistant', content }, user([result])] });
    const answered = await replay(first.content);
    assert.equal(answered.body.content.at(-1).text, 'get_weather: sunny');
    const [block, call] = first.content;
    assert.equal((await replay([{ ...block, thinking: '' }, call])).status, 200);
    for (const altered of [
      { ...block, thinking: `${block.thinking} more` },
      { ...block, signature: `A${block.signature.slice(1)}` },
    ]) {
      const refused = await replay([altered, call]);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error.message, /signature/);
    }
    const bare = await replay([call]);
    assert.equal(bare.status, 400);
    assert.match(bare.body.error.message, /Expected `thinking`/);
  });

  test('omitted thinking streams only a signature', async () => {
    const events = await messageStream({
      messages: [user('a')],
      stream: true,
      thinking: { type: 'adaptive', display: 'omitted' },
    });
    const deltas = events.filter((event) => event.index === 0 && event.type === 'content_block_delta');
    assert.deepEqual(
      deltas.map((event) => event.delta.type),
      ['signature_delta'],
    );
    assert.equal(
      events.find((event) => event.type === 'message_delta')?.usage.output_tokens_details.thinking_tokens,
      11,
    );
  });

  test('marked prefixes are written once and then read from the cache', async () => {
    const system = [{ type: 'text', text: 'be very brief today', cache_control: { type: 'ephemeral' } }];
    const first = (await message({ system, messages: [user('hi')] })).body.usage;
    assert.deepEqual([first.input_tokens, first.cache_creation_input_tokens, first.cache_read_input_tokens], [1, 4, 0]);
    const second = (await message({ system, messages: [user('hi')] })).body.usage;
    assert.deepEqual(
      [second.input_tokens, second.cache_creation_input_tokens, second.cache_read_input_tokens],
      [1, 0, 4],
    );
    clock.advance(300_001);
    const third = (await message({ system, messages: [user('hi')] })).body.usage;
    assert.deepEqual([third.cache_creation_input_tokens, third.cache_read_input_tokens], [4, 0]);
  });

  test('a stop sequence ends the answer and is named', async () => {
    const { body } = await message({ messages: [user('one two STOP three')], stop_sequences: ['STOP'] });
    assert.equal(body.content[0].text, 'one two ');
    assert.deepEqual([body.stop_reason, body.stop_sequence], ['stop_sequence', 'STOP']);
  });

  const orphan = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
  const refused: [string, object, RegExp][] = [
    ['no max_tokens', { max_tokens: undefined }, /^max_tokens: Field required/],
    ['an empty list', { messages: [] }, /at least one message/],
    ['an empty text', { messages: [user([{ type: 'text', text: ' ' }])] }, /non-whitespace/],
    ['an assistant first', { messages: [{ role: 'assistant', content: 'x' }] }, /first message/],
    ['an orphan tool result', { messages: [user([orphan])] }, /unexpected `tool_use_id`/],
    [
      'a call without a result',
      { messages: [user('x'), { role: 'assistant', content: [call] }, user('y')] },
      /toolu_1/,
    ],
    [
      'a result after a text',
      {
        messages: [user('x'), { role: 'assistant', content: [call] }, user([{ type: 'text', text: 'y' }, orphan])],
      },
      /immediately after: toolu_1/,
    ],
    ['a bad id', { messages: [user('x'), { role: 'assistant', content: [{ ...call, id: 'a b' }] }] }, /tool_use\.id/],
    ['a small thinking budget', { thinking: { type: 'enabled', budget_tokens: 5 } }, /budget_tokens/],
    ['a thread', { thread: { type: 'create' } }, /thread/],
  ];
  for (const [what, fields, expected] of refused) {
    test(`${what} is refused`, async () => {
      const { status, body } = await message({ messages: [user('hi')], ...fields });
      assert.equal(status, 400);
      assert.equal(body.type, 'error');
      assert.equal(body.error.type, 'invalid_request_error');
      assert.match(body.error.message, expected);
      assert.match(body.request_id, /^req_/);
    });
  }
});

describe('flaky', () => {
  for (const status of [400, 429, 500, 503, 529]) {
    test(`answers ${status} in both dialects`, async () => {
      const messages = [user(`${status} retry-after=7`)];
      const openai = await chat({ model: 'flaky', messages });
      assert.equal(openai.status, status);
      assert.equal(typeof openai.body.error.type, 'string');
      const anthropic = await message({ model: 'flaky', messages });
      assert.equal(anthropic.status, status);
      assert.equal(anthropic.body.type, 'error');
      assert.equal(openai.headers.get('retry-after'), status === 429 || status === 503 ? '7' : null);
    });
  }

  test('a cut stream fails after the allowed tokens', async () => {
    const response = await post('/v1/chat/completions', {
      model: 'flaky',
      messages: [user('cut after=2 x y z')],
      stream: true,
    });
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const bytes of response.body ?? []) seen.push(Buffer.from(bytes).toString());
    });
    assert.equal(seen.join('').match(/"content":"[^"]/g)?.length, 2);
  });

  test('a truncated stream ends cleanly without a finish', async () => {
    const chunks = await chatStream({ model: 'flaky', messages: [user('truncate x y z')], stream: true });
    assert.equal(chunks.length, 4);
    assert.ok(chunks.every((chunk) => chunk !== '[DONE]' && JSON.parse(chunk).choices[0].finish_reason === null));
  });

  test("an error in the stream is in the dialect's own form", async () => {
    const openai = await chatStream({ model: 'flaky', messages: [user('error-in-stream a b c')], stream: true });
    assert.equal(typeof JSON.parse(openai.at(-1) ?? '').error.message, 'string');
    const events = await messageStream({ model: 'flaky', messages: [user('error-in-stream a b c')], stream: true });
    assert.equal(events.at(-1)?.type, 'error');
  });

  test('usage is missing, wrong or too high on request', async () => {
    const usage = async (text: string) => (await chat({ model: 'flaky', messages: [user(text)] })).body.usage;
    assert.equal(await usage('no-usage'), undefined);
    assert.equal((await usage('bad-usage')).prompt_tokens, -1);
    assert.equal((await usage('huge-usage')).completion_tokens, 1_000_000_000);
  });

  test('slow delays the first byte, by the clock', async () => {
    const pending = chat({ model: 'flaky', messages: [user('slow delay=60000')] });
    let answered = false;
    void pending.then(() => {
      answered = true;
    });
    // Another request is answered in between, so the slow one has been processed.
    await chat({ model: 'echo', messages: [user('hi')] });
    assert.equal(answered, false);
    clock.advance(60_000);
    assert.equal((await pending).status, 200);
  });
});

test('tokens are sent at the requested rate', async () => {
  const response = await post('/v1/chat/completions', {
    model: 'lorem',
    messages: [user('tokens=4 rate=10')],
    stream: true,
  });
  const reader = response.body?.getReader();
  assert.ok(reader);
  let text = '';
  const readUntil = async (tokens: number) => {
    while ((text.match(/"content":"[^"]/g)?.length ?? 0) < tokens)
      text += Buffer.from((await reader.read()).value ?? []).toString();
  };
  for (let tokens = 1; tokens <= 4; tokens += 1) {
    clock.advance(100);
    await readUntil(tokens);
    assert.equal(text.match(/"content":"[^"]/g)?.length, tokens);
  }
  await reader.cancel();
});

function post(path: string, body: object): Promise<Response> {
  return fetch(demo.origin + path, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

// Untyped on purpose: the tests know the shape of the bodies.
async function answerOf(response: Response) {
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

async function chat(body: object) {
  return answerOf(await post('/v1/chat/completions', body));
}

async function message(body: object) {
  return answerOf(await post('/v1/messages', { model: 'echo', max_tokens: 100, ...body }));
}

async function chatStream(body: object): Promise<string[]> {
  return dataLines(await (await post('/v1/chat/completions', body)).text());
}

async function messageStream(body: object) {
  const response = await post('/v1/messages', { model: 'echo', max_tokens: 100, ...body });
  return dataLines(await response.text()).map((line) => JSON.parse(line));
}

function dataLines(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
}

describe('bounds', () => {
  const words = (count: number) => 'word '.repeat(count).trimEnd();

  test('a prompt above the context window is refused, with the numbers that clients read', async () => {
    const chatted = await chat({ model: 'echo', messages: [user(words(200_001))] });
    assert.deepEqual([chatted.status, chatted.body.error.code], [400, 'context_length_exceeded']);
    assert.match(chatted.body.error.message, /maximum context length is 200000 tokens.*resulted in 200001 tokens/);
    const refused = await message({ model: 'echo', max_tokens: 9, messages: [user(words(200_001))] });
    assert.deepEqual(
      [refused.status, refused.body.error.message],
      [400, 'prompt is too long: 200001 tokens > 200000 maximum'],
    );
  });

  test('an answer stays within the model’s output cap, all choices together, and within the window with the prompt', async () => {
    const long = (await chat({ model: 'echo', messages: [user(words(120_000))] })).body;
    assert.deepEqual([long.choices[0].finish_reason, long.usage.completion_tokens], ['length', 80_000]);
    const several = (await chat({ model: 'echo', n: 4, messages: [user(words(50_000))] })).body;
    assert.deepEqual([several.choices[3].finish_reason, several.usage.completion_tokens], ['length', 100_000]);
    const wide = (await chat({ model: 'echo', n: 2, messages: [user(`${' '.repeat(3_000_000)}x y`)] })).body;
    assert.deepEqual([wide.choices[0].finish_reason, wide.choices[0].message.content], ['length', '']);
  });

  test('a body with too many values is refused before it is parsed', async () => {
    const { status, body } = await chat({
      model: 'echo',
      messages: [user('x')],
      list: Array.from({ length: 100_000 }, () => []),
    });
    assert.deepEqual([status, body.error.code], [413, 'request_too_large']);
    assert.match(body.error.message, /100,000 values and names, 8 MiB of text/);
  });

  test('tens of thousands of messages are read in linear time', async () => {
    const messages = Array.from({ length: 15_000 }, () => user('x'));
    assert.equal((await message({ model: 'echo', max_tokens: 50_000, messages })).body.usage.input_tokens, 15_000);
    const calls = Array.from({ length: 4_000 }, (_, index) => ({
      type: 'tool_use',
      id: `c${index}`,
      name: 'x',
      input: {},
    }));
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'x' }));
    const loop = [user('x'), { role: 'assistant', content: calls }, user(results)];
    assert.equal((await message({ model: 'echo', max_tokens: 9, messages: loop })).status, 200);
  });
});
