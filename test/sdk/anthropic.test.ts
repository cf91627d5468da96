/**
 * Goal: the official `@anthropic-ai/sdk` package works at `{base}`, as its users have it set up.
 * Method: the package itself, a running gateway, and the built-in provider.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';

let gateway: TestGateway;
let client: Anthropic;
before(async () => {
  gateway = await startGateway();
  client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
});
after(() => gateway.stop());

const say = (content: string) => [{ role: 'user' as const, content }];
const declareTool = (name: string) => ({
  name,
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
});

describe('text', () => {
  test('an answer arrives complete, under the name the caller used, with usage and no cost', async () => {
    const { data, response } = await client.messages
      .create({ model: 'demo/echo', max_tokens: 100, messages: say('three small words') })
      .withResponse();
    assert.equal(data.model, 'demo/echo');
    assert.deepEqual(data.content, [{ type: 'text', text: 'three small words' }]);
    assert.equal(data.stop_reason, 'end_turn');
    assert.equal(data.usage.input_tokens, 3);
    assert.equal(data.usage.output_tokens, 3);
    assert.ok(!('cost' in data.usage));
    assert.match(response.headers.get('request-id') ?? '', /^req_/);
  });

  test('a bearer token works like an api key', async () => {
    const bearer = new Anthropic({ baseURL: gateway.url, authToken: gateway.key, apiKey: null, maxRetries: 0 });
    const answer = await bearer.messages.create({ model: 'demo/echo', max_tokens: 10, messages: say('hi') });
    assert.equal(answer.stop_reason, 'end_turn');
  });

  test('the cap of output tokens is obeyed and reported', async () => {
    const answer = await client.messages.create({
      model: 'demo/lorem',
      max_tokens: 4,
      messages: say('tokens=50 rate=0'),
    });
    assert.equal(answer.stop_reason, 'max_tokens');
    assert.equal(answer.usage.output_tokens, 4);
  });

  test('cache counters arrive as the provider reported them', async () => {
    const system = [
      { type: 'text' as const, text: 'five words to be kept', cache_control: { type: 'ephemeral' as const } },
    ];
    const ask = () => client.messages.create({ model: 'demo/echo', max_tokens: 10, system, messages: say('hi') });
    assert.equal((await ask()).usage.cache_creation_input_tokens, 5);
    assert.equal((await ask()).usage.cache_read_input_tokens, 5);
  });
});

describe('streams', () => {
  test('the events arrive in order and the last one ends the stream', async () => {
    const stream = await client.messages.create({
      model: 'demo/echo',
      max_tokens: 100,
      messages: say('one two'),
      stream: true,
    });
    const types = await Array.fromAsync(stream, (event) => event.type);
    assert.deepEqual(types, [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  test("the package's stream helper puts the message together", async () => {
    const stream = client.messages.stream({
      model: 'demo/lorem',
      max_tokens: 1000,
      messages: say('tokens=30 rate=0'),
    });
    const message = await stream.finalMessage();
    assert.equal(message.model, 'demo/lorem');
    assert.equal(message.usage.output_tokens, 30);
    assert.match(await stream.finalText(), /^lorem ipsum dolor/);
  });

  test('200 concurrent streams all arrive complete', async () => {
    const counts = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const stream = client.messages.stream({
          model: 'demo/lorem',
          max_tokens: 1000,
          messages: say(`tokens=${20 + (index % 7)} rate=200`),
        });
        return (await stream.finalText()).split(' ').length;
      }),
    );
    assert.deepEqual(
      counts,
      counts.map((_, index) => 20 + (index % 7)),
    );
  });
});

describe('tools', () => {
  test('parallel calls and their results go there and back', async () => {
    const tools = [declareTool('get_weather'), declareTool('get_time')];
    const messages: Anthropic.MessageParam[] = say('parallel');
    const first = await client.messages.create({ model: 'demo/tools', max_tokens: 100, messages, tools });
    assert.equal(first.stop_reason, 'tool_use');
    const calls = first.content.filter((block) => block.type === 'tool_use');
    assert.deepEqual(
      calls.map((call) => [call.name, call.input]),
      [
        ['get_weather', { city: 'demo' }],
        ['get_time', { city: 'demo' }],
      ],
    );
    messages.push({ role: 'assistant', content: first.content });
    messages.push({
      role: 'user',
      content: calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: 'fine' })),
    });
    const second = await client.messages.create({ model: 'demo/tools', max_tokens: 100, messages, tools });
    assert.deepEqual(second.content, [{ type: 'text', text: 'get_weather: fine\nget_time: fine' }]);
  });

  // The provider refuses a block whose signature or text is not, to the byte, the one it made.
  for (const streamed of [false, true]) {
    test(`thinking survives a tool loop of four turns${streamed ? ', streamed' : ''}`, async () => {
      const tools = [declareTool('get_weather')];
      const messages: Anthropic.MessageParam[] = say('rounds=3');
      const signatures: string[] = [];
      for (let turn = 1; ; turn += 1) {
        const request = {
          model: 'demo/tools',
          max_tokens: 4096,
          thinking: { type: 'enabled' as const, budget_tokens: 1024 },
          tools,
          messages,
        };
        const answer = streamed
          ? await client.messages.stream(request).finalMessage()
          : await client.messages.create(request);
        const [thought] = answer.content;
        assert.equal(thought?.type, 'thinking');
        signatures.push(thought.signature);
        if (answer.stop_reason !== 'tool_use') {
          assert.equal(turn, 4);
          break;
        }
        const call = answer.content.find((block) => block.type === 'tool_use');
        messages.push({ role: 'assistant', content: answer.content });
        messages.push({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: `turn ${turn}` }],
        });
      }
      assert.ok(signatures.every((signature) => signature.length === 88));
    });
  }

  test("the package's tool runner runs its loop to the end", async () => {
    let calls = 0;
    const runner = client.beta.messages.toolRunner({
      model: 'demo/tools',
      max_tokens: 1000,
      messages: say('rounds=2'),
      tools: [
        {
          ...declareTool('get_weather'),
          type: 'custom',
          parse: (given: unknown) => given,
          run: () => {
            calls += 1;
            return `sunny ${calls}`;
          },
        },
      ],
    });
    const last = await runner;
    assert.deepEqual(last.content, [{ type: 'text', text: 'get_weather: sunny 2' }]);
  });
});

test('structured output is parsed by its own schema', async () => {
  const message = await client.messages.parse({
    model: 'demo/echo',
    max_tokens: 100,
    messages: say('how warm is it?'),
    output_config: {
      format: jsonSchemaOutputFormat({
        type: 'object',
        properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
        required: ['city', 'degrees'],
        additionalProperties: false,
      }),
    },
  });
  assert.deepEqual(message.parsed_output, { city: 'demo', degrees: 0 });
});

test("the list of models is in Anthropic's shape", async () => {
  const page = await client.models.list();
  const ids = page.data.map((model) => model.id);
  assert.ok(ids.includes('demo/echo'));
  assert.ok(page.data.every((model) => model.type === 'model' && typeof model.display_name === 'string'));
});
