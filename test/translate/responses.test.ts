/**
 * Goal: callers of the other formats use a provider of Responses as if it were one of their own: text, tools, thoughts, media, schemas, errors,
 * caps and stop sequences, and the money is right. Method: the official packages against a provider as strict as OpenAI.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { COUNTED_TOKENS, LONG_TEXT, REFUSAL_TEXT, STRUCTURED_TEXT } from '../support/strict-commands.ts';
import { type JsonObject, listOf } from '../support/strict-server.ts';
import { openTranslateBench, RESPONSES, RESPONSES_NEW, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const WAYS = [false, true] as const;
const nameOf = (streamed: boolean) => (streamed ? 'streamed' : 'whole');
const sent = (): JsonObject => bench.strictResponses.last().body;

async function asked(
  request: Omit<Anthropic.MessageCreateParamsNonStreaming, 'max_tokens'> & { max_tokens?: number },
  streamed: boolean,
) {
  const whole = { max_tokens: 1_000, ...request };
  return streamed ? bench.anthropic.messages.stream(whole).finalMessage() : bench.anthropic.messages.create(whole);
}

type Completion = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>;

async function completed(request: Completion, streamed: boolean) {
  if (!streamed) return bench.openai.chat.completions.create(request);
  const usage = { stream_options: { include_usage: true } };
  return bench.openai.chat.completions.stream({ ...request, ...usage }).finalChatCompletion();
}

const said = (content: string) => [{ role: 'user' as const, content }];
const textOf = (message: Anthropic.Message) =>
  message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

describe('text', () => {
  for (const streamed of WAYS) {
    test(`reaches an Anthropic caller, ${nameOf(streamed)}, with its usage and its charge`, async () => {
      const record = bench.nextRecord();
      const answer = await asked({ model: RESPONSES, system: 'Be brief.', messages: said('cached') }, streamed);
      assert.equal(textOf(answer), 'from the cache');
      assert.equal(answer.stop_reason, 'end_turn');
      const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = answer.usage;
      assert.deepEqual(
        [input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens],
        [100, 40, 10, 3],
      );
      const body = sent();
      assert.deepEqual([body['instructions'], body['store'], body['max_output_tokens']], ['Be brief.', false, 1_000]);
      const { cost, charge, upstreamId } = await record;
      assert.equal(cost, charge);
      // 100 × 2 + 40 × 0.2 + 10 × 2.5 + 3 × 10 dollars a million, in nano-dollars.
      assert.equal(cost, 263_000n);
      assert.equal(upstreamId, 'resp_strict');
    });

    test(`reaches an OpenAI caller, ${nameOf(streamed)}, with what it cites`, async () => {
      const completion = await completed({ model: RESPONSES, messages: said('cite 2 Two pages say so.') }, streamed);
      const [choice] = completion.choices;
      assert.deepEqual([choice?.message.content, choice?.finish_reason], ['Two pages say so.', 'stop']);
      assert.deepEqual(
        choice?.message.annotations?.map(({ url_citation: { url } }) => url),
        ['https://pages.example/1', 'https://pages.example/2'],
      );
      assert.equal(completion.usage?.prompt_tokens, 100);
    });

    test(`a refusal is one for both callers, ${nameOf(streamed)}`, async () => {
      const answer = await asked({ model: RESPONSES, messages: said('refuse') }, streamed);
      assert.deepEqual([textOf(answer), answer.stop_reason], [REFUSAL_TEXT, 'refusal']);
      const completion = await completed({ model: RESPONSES, messages: said('refuse') }, streamed);
      assert.equal(completion.choices[0]?.message.refusal, REFUSAL_TEXT);
    });
  }
});

const schema = { type: 'object' as const, properties: { city: { type: 'string' } } };
const anthropicTools = ['get_weather', 'get_time', 'look'].map((name) => ({ name, input_schema: schema }));
const openaiTools = anthropicTools.map(({ name }) => ({
  type: 'function' as const,
  function: { name, parameters: schema },
}));
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

describe('tools', () => {
  for (const streamed of WAYS) {
    test(`parallel calls and their results, for an Anthropic caller, ${nameOf(streamed)}`, async () => {
      const messages: Anthropic.MessageParam[] = said('call two');
      const first = await asked({ model: RESPONSES, messages, tools: anthropicTools }, streamed);
      assert.equal(first.stop_reason, 'tool_use');
      const calls = first.content.filter((block) => block.type === 'tool_use');
      assert.deepEqual(
        calls.map(({ name, input }) => [name, input]),
        [
          ['get_weather', { city: 'Rome' }],
          ['get_time', { zone: 'CET' }],
        ],
      );
      const image = {
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: 'image/png' as const, data: PIXEL },
      };
      messages.push(
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: calls[1]?.id ?? '', content: 'noon', is_error: true },
            { type: 'tool_result', tool_use_id: calls[0]?.id ?? '', content: [{ type: 'text', text: 'sunny' }, image] },
          ],
        },
      );
      const second = await asked({ model: RESPONSES, messages, tools: anthropicTools }, streamed);
      assert.equal(textOf(second), 'results: sunny | Error: noon');
      const outputs = listOf(sent()['input']).filter(({ type }) => type === 'function_call_output');
      assert.deepEqual(listOf(outputs[0]?.['output'])[1]?.['type'], 'input_image');
    });

    test(`a loop without arguments, for an OpenAI caller, ${nameOf(streamed)}`, async () => {
      const messages: OpenAI.ChatCompletionMessageParam[] = said('call look');
      const first = await completed(
        { model: RESPONSES_NEW, messages, tools: openaiTools, tool_choice: 'required' },
        streamed,
      );
      const [choice] = first.choices;
      assert.equal(choice?.finish_reason, 'tool_calls');
      const [call] = choice.message.tool_calls ?? [];
      assert.ok(call?.type === 'function' && call.function.name === 'look');
      assert.deepEqual(JSON.parse(call.function.arguments || '{}'), {});
      assert.equal(sent()['tool_choice'], 'required');
      messages.push(choice.message, { role: 'tool', tool_call_id: call.id, content: 'a cat' });
      const second = await completed({ model: RESPONSES_NEW, messages, tools: openaiTools }, streamed);
      assert.equal(second.choices[0]?.message.content, 'results: a cat');
    });

    test(`a custom tool stays one where the provider has them, ${nameOf(streamed)}`, async () => {
      const tools = [{ type: 'custom' as const, custom: { name: 'sql', description: 'Asks the database.' } }];
      for (const model of [RESPONSES, RESPONSES_NEW]) {
        const messages: OpenAI.ChatCompletionMessageParam[] = said('call sql {"input":"SELECT \\"a\\"\\n1"}');
        const first = await completed({ model, messages, tools }, streamed);
        assert.equal(listOf(sent()['tools'])[0]?.['type'], model === RESPONSES ? 'function' : 'custom');
        const message = first.choices[0]?.message;
        const [call] = message?.tool_calls ?? [];
        assert.ok(message !== undefined && call?.type === 'custom');
        assert.equal(call.custom.input, 'SELECT "a"\n1');
        messages.push(message, { role: 'tool', tool_call_id: call.id, content: 'one row' });
        const second = await completed({ model, messages, tools }, streamed);
        assert.equal(second.choices[0]?.message.content, 'results: one row');
      }
    });
  }
});

describe('thoughts', () => {
  for (const streamed of WAYS) {
    test(`an Anthropic caller sends them back through a loop of tools, ${nameOf(streamed)}`, async () => {
      const messages: Anthropic.MessageParam[] = said('think twice then loop 3 look');
      const thinking = { type: 'adaptive' as const, display: 'summarized' as const };
      for (let turn = 1; ; turn += 1) {
        const answer = await asked({ model: RESPONSES_NEW, messages, tools: anthropicTools, thinking }, streamed);
        const shown = answer.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('');
        assert.equal(shown, `Round ${turn - 1} of loop 3 look.`);
        const calls = answer.content.filter((block) => block.type === 'tool_use');
        const thoughts = listOf(sent()['input']).filter(({ type }) => type === 'reasoning');
        assert.equal(thoughts.length, 2 * (turn - 1));
        assert.deepEqual(
          thoughts.flatMap(({ summary }) => listOf(summary).map(({ text }) => text)),
          Array.from({ length: turn - 1 }, (_, round) => `Round ${round} of loop 3 look.`),
        );
        if (calls.length === 0) {
          assert.equal(turn, 4);
          break;
        }
        messages.push(
          { role: 'assistant', content: answer.content },
          {
            role: 'user',
            content: calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: `got ${turn}` })),
          },
        );
      }
    });

    test(`an OpenAI caller does so with reasoning_details, ${nameOf(streamed)}`, async () => {
      const messages: OpenAI.ChatCompletionMessageParam[] = said('think then call look');
      const request = { model: RESPONSES_NEW, tools: openaiTools, reasoning_effort: 'low' as const };
      const first = await completed({ ...request, messages }, streamed);
      const message = first.choices[0]?.message as OpenAI.ChatCompletionMessage & { reasoning?: string };
      // The package joins no fields that it does not know.
      if (!streamed) assert.equal(message.reasoning, 'Round 0 of call look.');
      assert.deepEqual(sent()['reasoning'], { effort: 'low', summary: 'auto' });
      messages.push(message, { role: 'tool', tool_call_id: message.tool_calls?.[0]?.id ?? '', content: 'seen' });
      await completed({ ...request, messages }, streamed);
      const [thought] = listOf(sent()['input']).filter(({ type }) => type === 'reasoning');
      assert.ok(String(thought?.['encrypted_content']).startsWith(String(thought?.['id'])));
    });
  }

  test('those of another vendor are left out, and that is said', async () => {
    const { response } = await bench.anthropic.messages
      .create({
        model: RESPONSES_NEW,
        max_tokens: 100,
        messages: [
          ...said('x'),
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
              { type: 'text', text: 'y' },
            ],
          },
          ...said('say z'),
        ],
      })
      .withResponse();
    assert.match(response.headers.get('x-turnpike-warnings') ?? '', /reasoning from other providers was left out/);
  });
});

describe('what the format cannot say', () => {
  for (const streamed of WAYS) {
    test(`an answer ends at a stop sequence, ${nameOf(streamed)}`, async () => {
      const answer = await asked(
        { model: RESPONSES, messages: said('say one two three four'), stop_sequences: ['never', ' three'] },
        streamed,
      );
      assert.deepEqual(
        [textOf(answer), answer.stop_reason, answer.stop_sequence],
        ['one two', 'stop_sequence', ' three'],
      );
      assert.equal(answer.usage.output_tokens, 4);
      assert.equal(sent()['stop'], undefined);
      const completion = await completed(
        { model: RESPONSES, messages: said('say one two three'), stop: 'o t' },
        streamed,
      );
      assert.deepEqual(
        [completion.choices[0]?.message.content, completion.choices[0]?.finish_reason],
        ['one tw', 'stop'],
      );
    });

    test(`a probe for one token is answered, and one token is paid, ${nameOf(streamed)}`, async () => {
      const record = bench.nextRecord();
      const answer = await asked({ model: RESPONSES, messages: said('long'), max_tokens: 1 }, streamed);
      assert.deepEqual([answer.stop_reason, answer.usage.output_tokens], ['max_tokens', 1]);
      assert.equal(sent()['max_output_tokens'], 16);
      const { cost, charge, usage } = await record;
      assert.deepEqual([cost, charge, usage.outputTokens], [210_000n, 210_000n, 1]);
    });
  }

  test('sound is refused with a 400', async () => {
    const input_audio = { data: Buffer.from('RIFF').toString('base64'), format: 'wav' as const };
    await assert.rejects(
      bench.openai.chat.completions.create({
        model: RESPONSES,
        messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio }] }],
      }),
      (error) => error instanceof OpenAI.BadRequestError && /has no sound/.test(error.message),
    );
  });
});

describe('everything else', () => {
  test('media by address and by content', async () => {
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data: 'JVBERi0xLjQKJSVFT0YK' };
    const content: Anthropic.ContentBlockParam[] = [
      { type: 'image', source: { type: 'url', url: 'https://pictures.example/buoy.png' } },
      { type: 'document', source, title: 'Chart' },
      { type: 'document', source: { type: 'url', url: 'https://papers.example/a.pdf' }, title: 'Paper' },
      { type: 'text', text: 'say seen' },
    ];
    assert.equal(textOf(await asked({ model: RESPONSES, messages: [{ role: 'user', content }] }, false)), 'seen');
  });

  test('an answer that follows a schema, closed or open', async () => {
    const closed = { ...schema, required: ['city'], additionalProperties: false };
    for (const [name, wanted] of [['closed', closed] as const, ['open', schema] as const]) {
      const completion = await completed(
        {
          model: RESPONSES,
          messages: said('json'),
          response_format: { type: 'json_schema', json_schema: { name, schema: wanted, strict: true } },
        },
        false,
      );
      assert.equal(completion.choices[0]?.message.content, STRUCTURED_TEXT);
    }
  });

  test('an answer that reaches its cap says so', async () => {
    const answer = await asked({ model: RESPONSES, messages: said('long'), max_tokens: 20 }, true);
    assert.equal(answer.stop_reason, 'max_tokens');
    assert.ok(LONG_TEXT.startsWith(textOf(answer)));
  });

  test('a prompt that is too long is told in the words that Anthropic clients react to', async () => {
    await assert.rejects(
      asked({ model: RESPONSES, messages: said('overflow') }, true),
      (error) => error instanceof Anthropic.BadRequestError && /prompt is too long/.test(error.message),
    );
  });

  test('a rate limit keeps its delay', async () => {
    await assert.rejects(
      completed({ model: RESPONSES, messages: said('status 429') }, false),
      (error) => error instanceof OpenAI.RateLimitError && error.headers.get('retry-after') === '17',
    );
  });

  for (const command of ['fail-in-stream', 'cut']) {
    test(`a stream that breaks ends with an error and costs nothing: ${command}`, async () => {
      const record = bench.nextRecord();
      await assert.rejects(asked({ model: RESPONSES, messages: said(command) }, true));
      const { charge, ending } = await record;
      assert.deepEqual([charge, ending], [0n, 'upstream_failed']);
    });
  }

  test('tokens are counted by the provider, though the formats differ', async () => {
    const { input_tokens: tokens } = await bench.anthropic.messages.countTokens({
      model: RESPONSES,
      messages: said('say x'),
    });
    assert.equal(tokens, COUNTED_TOKENS);
  });
});
