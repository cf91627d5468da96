/**
 * Goal: callers of both official packages work with models on Bedrock, and what each call costs is exact. Method: a strict provider of
 * Converse checks each signature and each rule, and answers with streams that Amazon's package writes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import OpenAI from 'openai';
import {
  CACHE_READ_TOKENS,
  CACHE_WRITE_TOKENS,
  COUNTED_TOKENS,
  isSigned,
  LONG_TEXT,
  PROMPT_TOKENS,
  REFUSAL_TEXT,
  STRUCTURED_TEXT,
} from '../support/strict-commands.ts';
import { isObject, type JsonObject, listOf } from '../support/strict-server.ts';
import {
  BEDROCK_CLAUDE,
  BEDROCK_LLAMA,
  BEDROCK_MISSING,
  BEDROCK_NEWEST,
  BEDROCK_NOVA,
  openTranslateBench,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const MODELS = [BEDROCK_CLAUDE, BEDROCK_NEWEST, BEDROCK_NOVA, BEDROCK_LLAMA];
const say = (content: string) => [{ role: 'user' as const, content }];
const sent = () => bench.strictBedrock.last().body;
const sentContent = () => listOf(listOf(sent()['messages']).at(-1)?.['content']);

/** Of the bench's models, in nano-USD a token. */
const PRICES = { input: 2_000n, output: 10_000n, cacheRead: 200n, cacheWrite: 2_500n };

async function costs(call: () => Promise<unknown>, tokens: { output: number; cached?: boolean }): Promise<void> {
  const ended = bench.nextRecord();
  await call();
  const record = await ended;
  const cached = tokens.cached === true;
  const due =
    BigInt(PROMPT_TOKENS) * PRICES.input +
    BigInt(tokens.output) * PRICES.output +
    (cached ? BigInt(CACHE_READ_TOKENS) * PRICES.cacheRead + BigInt(CACHE_WRITE_TOKENS) * PRICES.cacheWrite : 0n);
  assert.deepEqual([record.charge, record.usageSource], [due, 'reported']);
}

for (const model of MODELS)
  describe(`with ${model}`, () => {
    test('a text, whole and streamed, for both packages, at its price', async () => {
      await costs(
        async () => {
          const { choices } = await bench.openai.chat.completions.create({ model, messages: say('say Grüße aus Rom') });
          assert.deepEqual([choices[0]?.message.content, choices[0]?.finish_reason], ['Grüße aus Rom', 'stop']);
        },
        { output: 3 },
      );
      await costs(
        async () => {
          const stream = bench.openai.chat.completions.stream({ model, messages: say('say Grüße aus Rom') });
          assert.equal((await stream.finalChatCompletion()).choices[0]?.message.content, 'Grüße aus Rom');
        },
        { output: 3 },
      );
      const request = { model, max_tokens: 100, messages: say('say Grüße aus Rom') };
      await costs(
        async () => {
          const { content, stop_reason } = await bench.anthropic.messages.create(request);
          assert.deepEqual([textOf(content), stop_reason], ['Grüße aus Rom', 'end_turn']);
        },
        { output: 3 },
      );
      await costs(
        async () => {
          const { content, usage } = await bench.anthropic.messages.stream(request).finalMessage();
          assert.deepEqual([textOf(content), usage.input_tokens, usage.output_tokens], ['Grüße aus Rom', 100, 3]);
        },
        { output: 3 },
      );
    });

    for (const streamed of [false, true])
      test(`a loop of two tools called at once${streamed ? ', streamed' : ''}, for both packages`, async () => {
        assert.equal(await openaiLoop(model, streamed), 'results: sunny | error(noon)');
        assert.equal(await anthropicLoop(model, streamed), 'results: sunny | error(noon)');
      });
  });

const tools = ['get_weather', 'get_time'].map((name) => ({
  name,
  schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: [] },
}));
const openaiTools = tools.map(({ name, schema }) => ({
  type: 'function' as const,
  function: { name, parameters: schema },
}));
const anthropicTools = tools.map(({ name, schema }) => ({ name, input_schema: schema }));

async function openaiLoop(model: string, streamed: boolean): Promise<string | null | undefined> {
  const messages: OpenAI.ChatCompletionMessageParam[] = say('call two');
  const ask = () =>
    streamed
      ? bench.openai.chat.completions.stream({ model, messages, tools: openaiTools }).finalChatCompletion()
      : bench.openai.chat.completions.create({ model, messages, tools: openaiTools });
  const first = (await ask()).choices[0];
  assert.equal(first?.finish_reason, 'tool_calls');
  const calls = (first.message.tool_calls ?? []).filter((call) => call.type === 'function');
  assert.deepEqual(
    calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)]),
    [
      ['get_weather', { city: 'Rome' }],
      ['get_time', { zone: 'CET' }],
    ],
  );
  const [one, two] = calls.map(({ id }) => id);
  assert.ok(one !== undefined && two !== undefined);
  // In another order; the format has no field for a failure.
  messages.push(
    first.message,
    { role: 'tool', tool_call_id: two, content: 'error(noon)' },
    { role: 'tool', tool_call_id: one, content: 'sunny' },
  );
  return (await ask()).choices[0]?.message.content;
}

async function anthropicLoop(model: string, streamed: boolean): Promise<string> {
  const messages: Anthropic.MessageParam[] = say('call two');
  const request = { model, max_tokens: 1_000, messages, tools: anthropicTools };
  const ask = () =>
    streamed ? bench.anthropic.messages.stream(request).finalMessage() : bench.anthropic.messages.create(request);
  const first = await ask();
  assert.equal(first.stop_reason, 'tool_use');
  const [one, two] = first.content.filter((block) => block.type === 'tool_use').map(({ id }) => id);
  assert.ok(one !== undefined && two !== undefined);
  const result = (tool_use_id: string, content: string, is_error: boolean) => ({
    type: 'tool_result' as const,
    tool_use_id,
    content,
    is_error,
  });
  const failed = model !== BEDROCK_LLAMA;
  messages.push(
    { role: 'assistant', content: first.content },
    { role: 'user', content: [result(two, failed ? 'noon' : 'error(noon)', failed), result(one, 'sunny', false)] },
  );
  return textOf((await ask()).content);
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');

test('images and PDFs of both packages arrive, documents under names of their own', async () => {
  const file = {
    type: 'file' as const,
    file: { filename: 'Q3_report.pdf', file_data: `data:application/pdf;base64,${PDF}` },
  };
  const image = { type: 'image_url' as const, image_url: { url: `data:image/jpeg;base64,${PNG}` } };
  const content = [file, file, image, { type: 'text' as const, text: 'say seen' }];
  await bench.openai.chat.completions.create({ model: BEDROCK_NOVA, messages: [{ role: 'user', content }] });
  const bytes = PDF;
  assert.deepEqual(sentContent(), [
    { document: { format: 'pdf', name: 'Q3-report-pdf', source: { bytes } } },
    { document: { format: 'pdf', name: 'Q3-report-pdf (2)', source: { bytes } } },
    { image: { format: 'png', source: { bytes: PNG } } },
    { text: 'say seen' },
  ]);
  const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data: PDF };
  const answer = await bench.anthropic.messages.create({
    model: BEDROCK_CLAUDE,
    max_tokens: 100,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'say seen' },
          { type: 'document', source, cache_control: { type: 'ephemeral', ttl: '1h' }, citations: { enabled: true } },
        ],
      },
    ],
  });
  assert.equal(textOf(answer.content), 'seen');
  assert.deepEqual(sentContent().slice(1), [
    { document: { format: 'pdf', name: 'Document', source: { bytes }, citations: { enabled: true } } },
    { text: '\n' },
    { cachePoint: { type: 'default', ttl: '1h' } },
  ]);
});

test('an image by its address is refused with the reason', async () => {
  const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/cat.jpg' } };
  const error = await failure(
    bench.openai.chat.completions.create({ model: BEDROCK_CLAUDE, messages: [{ role: 'user', content: [image] }] }),
    OpenAI.BadRequestError,
  );
  assert.match(error.message, /does not fetch an image from an address; send its content/);
});

test('an answer follows the schema of both packages', async () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' }, degrees: { type: 'number', minimum: -90 } },
    required: ['city', 'degrees'],
    additionalProperties: false,
  } as const;
  const format = { type: 'json_schema' as const, json_schema: { name: 'weather', schema, strict: true } };
  for (const model of [BEDROCK_CLAUDE, BEDROCK_NOVA]) {
    const { choices } = await bench.openai.chat.completions.create({
      model,
      messages: say('json'),
      response_format: format,
    });
    assert.equal(choices[0]?.message.content, STRUCTURED_TEXT);
    const config = sent()['outputConfig'];
    assert.equal(isObject(config), model === BEDROCK_CLAUDE);
  }
  const parsed = await bench.anthropic.messages.parse({
    model: BEDROCK_NEWEST,
    max_tokens: 100,
    messages: say('json'),
    output_config: { format: jsonSchemaOutputFormat(schema) },
  });
  assert.deepEqual(parsed.parsed_output, JSON.parse(STRUCTURED_TEXT));
});

describe('thinking', () => {
  const thoughts = [0, 1, 2].map((round) => `Round ${round} of loop 2 get_time.`);

  for (const [model, thinking] of [
    [BEDROCK_CLAUDE, { type: 'enabled', budget_tokens: 1_024 }],
    [BEDROCK_NEWEST, { type: 'adaptive', display: 'summarized' }],
  ] as const)
    for (const streamed of [false, true])
      test(`an Anthropic caller keeps the thoughts of ${model} through a loop${streamed ? ', streamed' : ''}`, async () => {
        const messages: Anthropic.MessageParam[] = say('think twice then loop 2 get_time');
        for (const thought of thoughts) {
          const request = { model, max_tokens: 8_000, thinking, messages, tools: anthropicTools };
          const answer = streamed
            ? await bench.anthropic.messages.stream(request).finalMessage()
            : await bench.anthropic.messages.create(request);
          const [first, second, third] = answer.content;
          assert.ok(first?.type === 'thinking' && second?.type === 'redacted_thinking');
          assert.equal(first.thinking, thought);
          assert.ok(isSigned(first.thinking, first.signature) && isSigned('redacted', second.data));
          messages.push({ role: 'assistant', content: answer.content });
          if (third?.type !== 'tool_use') break;
          messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: third.id, content: 'noon' }] });
        }
        assert.equal(messages.length, 6);
      });

  for (const streamed of [false, true])
    test(`an OpenAI caller keeps the thoughts through a loop${streamed ? ', streamed' : ''}`, async () => {
      const messages: OpenAI.ChatCompletionMessageParam[] = say('think then loop 2 get_time');
      for (const thought of thoughts) {
        const request = {
          ...{ model: BEDROCK_CLAUDE, messages, tools: openaiTools },
          ...{ reasoning_effort: 'medium' as const, max_completion_tokens: 8_000 },
        };
        const completion = streamed
          ? await bench.openai.chat.completions.stream(request).finalChatCompletion()
          : await bench.openai.chat.completions.create(request);
        const message = completion.choices[0]?.message as OpenAI.ChatCompletionMessage & JsonObject;
        const [detail] = listOf(message['reasoning_details']);
        // The package keeps only the last piece of a stream.
        assert.ok(thought.endsWith(String(message['reasoning'])));
        assert.ok(isSigned(streamed ? '' : thought, detail?.['signature']));
        assert.equal(detail?.['format'], 'anthropic-claude-v1');
        messages.push(message);
        const [call] = message.tool_calls ?? [];
        if (call === undefined) break;
        messages.push({ role: 'tool', tool_call_id: call.id, content: 'noon' });
      }
      assert.equal(messages.length, 6);
    });

  test('a thought that is not shown comes back by its signature alone', async () => {
    const request = {
      model: BEDROCK_NEWEST,
      max_tokens: 8_000,
      thinking: { type: 'adaptive' as const, display: 'omitted' as const },
    };
    const first = await bench.anthropic.messages.stream({ ...request, messages: say('think life') }).finalMessage();
    assert.ok(first.content[0]?.type === 'thinking' && first.content[0].thinking === '');
    const messages = [...say('think life'), { role: 'assistant' as const, content: first.content }, ...say('say on')];
    assert.equal(textOf((await bench.anthropic.messages.create({ ...request, messages })).content), 'on');
    assert.ok(JSON.stringify(sent()).includes('"reasoningText":{"text":"","signature":'));
  });
});

test('marks become cache points, and what is read and written costs its own price', async () => {
  const cache_control = { type: 'ephemeral' as const };
  for (const model of [BEDROCK_CLAUDE, BEDROCK_NOVA, BEDROCK_LLAMA])
    await costs(
      () =>
        bench.anthropic.messages.create({
          ...{ model, max_tokens: 100 },
          system: [{ type: 'text', text: 'You are a pilot.', cache_control }],
          tools: anthropicTools.map((tool) => ({ ...tool, cache_control })),
          messages: [{ role: 'user', content: [{ type: 'text', text: 'cached', cache_control }] }],
        }),
      { output: 3, cached: true },
    );
});

test('the stop sequence that ended the answer is named', async () => {
  const request = {
    model: BEDROCK_CLAUDE,
    max_tokens: 100,
    stop_sequences: ['three'],
    messages: say('say one two three four'),
  };
  for (const answer of [
    await bench.anthropic.messages.create(request),
    await bench.anthropic.messages.stream(request).finalMessage(),
  ])
    assert.deepEqual(
      [textOf(answer.content).trim(), answer.stop_reason, answer.stop_sequence],
      ['one two', 'stop_sequence', 'three'],
    );
});

test('an answer at its cap, and one that a guardrail replaced, say so', async () => {
  const capped = await bench.openai.chat.completions.create({
    model: BEDROCK_NOVA,
    messages: say('long'),
    max_tokens: 7,
  });
  assert.equal(capped.choices[0]?.finish_reason, 'length');
  assert.equal(capped.choices[0]?.message.content, LONG_TEXT.split(' ').slice(0, 7).join(' '));
  const refused = await bench.anthropic.messages.create({
    model: BEDROCK_NOVA,
    max_tokens: 100,
    messages: say('refuse'),
  });
  assert.deepEqual([textOf(refused.content), refused.stop_reason], [REFUSAL_TEXT, 'refusal']);
});

test('a call whose tools are gone is sent with them, and an instruction not to call them', async () => {
  const answer = await bench.openai.chat.completions.create({
    model: BEDROCK_CLAUDE,
    messages: [
      ...say('call get_time'),
      {
        role: 'assistant',
        tool_calls: [{ id: 'functions.get_time:0', type: 'function', function: { name: 'get_time', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'functions.get_time:0', content: 'noon' },
    ],
  });
  assert.equal(answer.choices[0]?.message.content, 'results: noon');
  assert.deepEqual(sent()['system'], [{ text: 'Do not call any tool; answer in words.' }]);
});

test('a long name of a tool is shortened on the way there, and whole on the way back', async () => {
  const name = `mcp__${'harbour_'.repeat(9)}tides`;
  const wire = async (command: string) =>
    bench.anthropic.messages
      .stream({
        model: BEDROCK_NOVA,
        max_tokens: 100,
        messages: say(command),
        tools: [{ name, input_schema: { type: 'object' } }],
      })
      .finalMessage();
  await wire('say hi');
  const config = sent()['toolConfig'];
  const spec = isObject(config) ? listOf(config['tools'])[0]?.['toolSpec'] : null;
  const short = isObject(spec) ? String(spec['name']) : '';
  assert.ok(short.length <= 64);
  const [call] = (await wire(`call ${short} {"port":"Brest"}`)).content;
  assert.deepEqual(call?.type === 'tool_use' && [call.name, call.input], [name, { port: 'Brest' }]);
});

test('a prompt is counted by Bedrock for Claude, by its name without a region, and estimated for other models', async () => {
  const count = async (model: string) =>
    (await bench.anthropic.messages.countTokens({ model, messages: say('say hi'), tools: anthropicTools }))
      .input_tokens;
  assert.equal(await count(BEDROCK_CLAUDE), COUNTED_TOKENS);
  const { path, body } = bench.strictBedrock.last();
  assert.equal(path, '/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/count-tokens');
  assert.ok(isObject(body['input']) && isObject(body['input']['converse']) && body['input']['converse']['toolConfig']);
  const asked = bench.strictBedrock.requests.length;
  assert.ok((await count(BEDROCK_NOVA)) < COUNTED_TOKENS);
  assert.equal(bench.strictBedrock.requests.length, asked);
});

describe('errors', () => {
  const model = BEDROCK_CLAUDE;
  const complete = (content: string) => bench.openai.chat.completions.create({ model, messages: say(content) });
  const message = (content: string) =>
    bench.anthropic.messages.create({ model, max_tokens: 100, messages: say(content) });

  test('a prompt that is too long is reported in the words of each format', async () => {
    assert.equal((await failure(complete('overflow'), OpenAI.BadRequestError)).code, 'context_length_exceeded');
    assert.match((await failure(message('overflow'), Anthropic.BadRequestError)).message, /prompt is too long/);
  });

  test('a limit says when to retry, and refusals of the account stay inside', async () => {
    const limited = await failure(complete('status 429'), OpenAI.RateLimitError);
    assert.equal(limited.headers?.get('retry-after'), '17');
    for (const [status, code] of [
      [401, 'upstream_credential_rejected'],
      [403, 'upstream_credential_rejected'],
      [408, 'upstream_timeout'],
      [424, 'bad_gateway'],
      [500, 'bad_gateway'],
      [503, 'upstream_overloaded'],
    ] as const)
      assert.equal((await failure(complete(`status ${status}`), OpenAI.InternalServerError)).code, code, `${status}`);
  });

  test('a name that Bedrock does not have is not found', async () => {
    const call = bench.openai.chat.completions.create({ model: BEDROCK_MISSING, messages: say('say hi') });
    assert.equal((await failure(call, OpenAI.NotFoundError)).code, 'model_not_found');
  });

  test('a failure and a cut in the middle of a stream are errors after the words so far', async () => {
    for (const command of ['fail-in-stream', 'cut']) {
      let text = '';
      const call = (async () => {
        const stream = await bench.openai.chat.completions.create({ model, messages: say(command), stream: true });
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      })();
      await failure(call, OpenAI.APIError);
      assert.equal(text, 'as far as it goes');
      await failure(
        bench.anthropic.messages.stream({ model, max_tokens: 100, messages: say(command) }).finalMessage(),
        Anthropic.APIError,
      );
    }
  });
});

function textOf(content: readonly Anthropic.ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

type Class = abstract new (...parameters: never[]) => Error;

async function failure<Failure extends Class>(
  call: Promise<unknown>,
  expected: Failure,
): Promise<InstanceType<Failure>> {
  const error: unknown = await call.then(
    () => assert.fail('it went well'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof expected, `${String(error)} is no ${expected.name}`);
  return error as InstanceType<Failure>;
}
