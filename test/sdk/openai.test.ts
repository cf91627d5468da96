/**
 * Goal: the official `openai` package works at `{base}/api/v1`, as its users have it set up.
 * Method: the package itself, a running gateway, and the built-in provider.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import * as z from 'zod';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';

let gateway: TestGateway;
let client: OpenAI;
before(async () => {
  gateway = await startGateway();
  client = new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: gateway.key, maxRetries: 0 });
});
after(() => gateway.stop());

const say = (content: string) => [{ role: 'user' as const, content }];
const functionTool = (name: string) => ({
  type: 'function' as const,
  function: {
    name,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
});

describe('text', () => {
  test('an answer arrives complete, under the name the caller used, with usage and cost', async () => {
    const { data, response } = await client.chat.completions
      .create({ model: 'demo/echo', messages: say('three small words') })
      .withResponse();
    assert.equal(data.model, 'demo/echo');
    assert.equal(data.choices[0]?.message.content, 'three small words');
    assert.equal(data.choices[0]?.finish_reason, 'stop');
    assert.equal(data.usage?.prompt_tokens, 3);
    assert.equal(data.usage?.completion_tokens, 3);
    // 3 tokens at $1 and 3 at $5 per million.
    assert.equal((data.usage as unknown as { cost: number }).cost, 0.000018);
    assert.match(response.headers.get('x-request-id') ?? '', /^req_/);
    assert.match(response.headers.get('x-generation-id') ?? '', /^gen-/);
  });

  test('a system prompt, several turns and content parts are taken', async () => {
    const answer = await client.chat.completions.create({
      model: 'demo/echo',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'first' },
        { role: 'user', content: [{ type: 'text', text: 'second' }] },
      ],
    });
    assert.equal(answer.choices[0]?.message.content, 'second');
  });

  test('an output cap ends the answer with the reason length', async () => {
    const answer = await client.chat.completions.create({
      model: 'demo/lorem',
      messages: say('tokens=50 rate=0'),
      max_completion_tokens: 5,
    });
    assert.equal(answer.choices[0]?.finish_reason, 'length');
    assert.equal(answer.usage?.completion_tokens, 5);
  });
});

describe('streams', () => {
  test('a caller that did not ask for usage gets no null, and one usage with a choice at the end', async () => {
    const stream = await client.chat.completions.create({
      model: 'demo/echo',
      messages: say('one two three'),
      stream: true,
    });
    const chunks = await Array.fromAsync(stream);
    assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), 'one two three');
    assert.ok(chunks.every((chunk) => chunk.usage !== null && chunk.model === 'demo/echo'));
    const withUsage = chunks.filter((chunk) => chunk.usage !== undefined);
    assert.equal(withUsage.length, 1);
    assert.equal(withUsage[0], chunks.at(-1));
    assert.equal(withUsage[0]?.choices.length, 1);
    assert.equal(withUsage[0]?.usage?.total_tokens, 6);
  });

  test("a caller that asked for usage gets OpenAI's own form: a chunk without choices", async () => {
    const stream = await client.chat.completions.create({
      model: 'demo/echo',
      messages: say('one two'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    assert.ok(chunks.slice(0, -1).every((chunk) => chunk.usage === undefined));
    assert.deepEqual(chunks.at(-1)?.choices, []);
    assert.equal(chunks.at(-1)?.usage?.total_tokens, 4);
  });

  test("the package's stream helper puts the answer together", async () => {
    const stream = client.chat.completions.stream({ model: 'demo/lorem', messages: say('tokens=30 rate=0') });
    const completion = await stream.finalChatCompletion();
    assert.match(completion.choices[0]?.message.content ?? '', /^lorem ipsum dolor/);
    assert.equal(completion.choices[0]?.message.content?.split(' ').length, 30);
  });

  test('200 concurrent streams all arrive complete', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const stream = await client.chat.completions.create({
          model: 'demo/lorem',
          messages: say(`tokens=${20 + (index % 7)} rate=200`),
          stream: true,
        });
        let text = '';
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
        return text.split(' ').length;
      }),
    );
    assert.deepEqual(
      answers,
      answers.map((_, index) => 20 + (index % 7)),
    );
  });
});

describe('tools', () => {
  test('parallel calls and their results go there and back', async () => {
    const tools = [functionTool('get_weather'), functionTool('get_time')];
    const messages: OpenAI.ChatCompletionMessageParam[] = say('parallel');
    const first = await client.chat.completions.create({ model: 'demo/tools', messages, tools });
    const called = first.choices[0]?.message;
    assert.ok(called?.tool_calls);
    assert.equal(called.tool_calls.length, 2);
    messages.push(called);
    for (const call of called.tool_calls) messages.push({ role: 'tool', tool_call_id: call.id, content: 'fine' });
    const second = await client.chat.completions.create({ model: 'demo/tools', messages, tools });
    assert.equal(second.choices[0]?.message.content, 'get_weather: fine\nget_time: fine');
  });

  test('streamed parallel calls are joined by the stream helper', async () => {
    const stream = client.chat.completions.stream({
      model: 'demo/tools',
      messages: say('parallel'),
      tools: [functionTool('get_weather'), functionTool('get_time')],
    });
    const completion = await stream.finalChatCompletion();
    const calls = completion.choices[0]?.message.tool_calls ?? [];
    assert.deepEqual(
      calls.map((call) => (call.type === 'function' ? [call.function.name, call.function.arguments] : null)),
      [
        ['get_weather', '{"city":"demo"}'],
        ['get_time', '{"city":"demo"}'],
      ],
    );
  });

  test("the package's tool runner runs its loop to the end", async () => {
    const asked: string[] = [];
    const runner = client.chat.completions.runTools({
      model: 'demo/tools',
      messages: say('rounds=3'),
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'How the weather is.',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            parse: (text: string): { city: string } => JSON.parse(text),
            function: (given: { city: string }) => {
              asked.push(given.city);
              return `sunny ${asked.length}`;
            },
          },
        },
      ],
    });
    assert.equal(await runner.finalContent(), 'get_weather: sunny 3');
    assert.deepEqual(asked, ['demo', 'demo', 'demo']);
  });
});

test('structured output is parsed by its own schema', async () => {
  const schema = z.object({ city: z.string(), degrees: z.number(), tags: z.array(z.string()) });
  const completion = await client.chat.completions.parse({
    model: 'demo/echo',
    messages: say('how warm is it?'),
    response_format: zodResponseFormat(schema, 'weather'),
  });
  assert.deepEqual(completion.choices[0]?.message.parsed, { city: 'demo', degrees: 0, tags: [] });
});

test('the list of models names those the demo provider serves', async () => {
  const ids = await Array.fromAsync(client.models.list(), (model) => model.id);
  for (const id of ['demo/echo', 'demo/lorem', 'demo/tools', 'demo/flaky']) assert.ok(ids.includes(id), id);
});
