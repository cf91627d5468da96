/**
 * Goal: text passes between each format and each provider, whole and streamed, and its usage and
 * cost are where each format has them. Method: the official packages against strict providers.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { textOf } from '../support/strict-answer.ts';
import { CACHE_READ_TOKENS, CACHE_WRITE_TOKENS, LONG_TEXT, PROMPT_TOKENS } from '../support/strict-commands.ts';
import { CLAUDE, GPT, GPT_NEW, openTranslateBench, ROUTED, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const say = (content: string) => [{ role: 'user' as const, content }];
const complete = (model: string, content: string) =>
  bench.openai.chat.completions.create({ model, messages: say(content) });
const message = (model: string, content: string, max_tokens = 1_000) =>
  bench.anthropic.messages.create({ model, max_tokens, messages: say(content) });

for (const model of [GPT, GPT_NEW, ROUTED, CLAUDE]) {
  describe(`of ${model}`, () => {
    test('an OpenAI caller reads a whole answer', async () => {
      const { data, response } = await bench.openai.chat.completions
        .create({ model, messages: say('say grüß dich 🌍') })
        .withResponse();
      assert.equal(data.model, model);
      assert.equal(data.object, 'chat.completion');
      assert.equal(data.choices.length, 1);
      assert.equal(data.choices[0]?.message.content, 'grüß dich 🌍');
      assert.equal(data.choices[0]?.finish_reason, 'stop');
      assert.equal(data.choices[0]?.message.tool_calls, undefined);
      assert.equal(response.headers.get('x-turnpike-warnings'), null);
    });

    test('an Anthropic caller reads a whole answer', async () => {
      const { data, response } = await bench.anthropic.messages
        .create({ model, max_tokens: 100, messages: say('say grüß dich 🌍') })
        .withResponse();
      assert.equal(data.model, model);
      assert.equal(data.type, 'message');
      assert.equal(textOf({ content: data.content }), 'grüß dich 🌍');
      assert.equal(data.content.length, 1);
      assert.equal(data.stop_reason, 'end_turn');
      assert.equal(response.headers.get('x-turnpike-warnings'), null);
    });

    test('an OpenAI caller reads a stream: role, words, reason, usage, end', async () => {
      const stream = await bench.openai.chat.completions.create({
        model,
        messages: say('say one two three'),
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks = await Array.fromAsync(stream);
      assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), 'one two three');
      assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant');
      assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1);
      assert.ok(chunks.every((chunk) => chunk.model === model && chunk.object === 'chat.completion.chunk'));
      assert.equal(chunks.filter((chunk) => chunk.choices[0]?.finish_reason === 'stop').length, 1);
      assert.equal(chunks.at(-1)?.usage?.prompt_tokens, PROMPT_TOKENS);
      assert.equal(chunks.at(-1)?.usage?.completion_tokens, 3);
    });

    test('an Anthropic caller reads a stream, block by block', async () => {
      const stream = bench.anthropic.messages.stream({ model, max_tokens: 100, messages: say('say one two three') });
      const types: string[] = [];
      stream.on('streamEvent', (event) => types.push(event.type));
      const final = await stream.finalMessage();
      assert.equal(textOf({ content: final.content }), 'one two three');
      assert.equal(final.stop_reason, 'end_turn');
      assert.equal(final.usage.input_tokens, PROMPT_TOKENS);
      assert.equal(final.usage.output_tokens, 3);
      assert.deepEqual(
        types.filter((type) => type !== 'content_block_delta' && type !== 'ping'),
        ['message_start', 'content_block_start', 'content_block_stop', 'message_delta', 'message_stop'],
      );
    });

    test('instructions and earlier turns reach the provider in their order', async () => {
      const turns = [
        { role: 'user' as const, content: 'first question' },
        { role: 'assistant' as const, content: 'first answer' },
        { role: 'user' as const, content: 'say on' },
      ];
      const first = await bench.openai.chat.completions.create({
        model,
        messages: [{ role: 'system', content: 'Be brief.' }, ...turns],
      });
      assert.equal(first.choices[0]?.message.content, 'on');
      assert.deepEqual(conversation(model), ['Be brief.', 'first question', 'first answer', 'say on']);
      const system = [
        { type: 'text' as const, text: 'Be brief.' },
        { type: 'text' as const, text: 'Be kind.' },
      ];
      const second = await bench.anthropic.messages.create({ model, max_tokens: 100, system, messages: turns });
      assert.equal(textOf({ content: second.content }), 'on');
      const [instructions, ...rest] = conversation(model);
      assert.match(instructions ?? '', /^Be brief\.\n+Be kind\.$/);
      assert.deepEqual(rest, ['first question', 'first answer', 'say on']);
    });

    test('a cap of output tokens is obeyed and reported', async () => {
      const first = await bench.openai.chat.completions.create({
        model,
        messages: say('long'),
        max_completion_tokens: 5,
      });
      assert.equal(first.choices[0]?.finish_reason, 'length');
      assert.equal(first.choices[0]?.message.content, 'word0 word1 word2 word3 word4');
      const second = await message(model, 'long', 5);
      assert.equal(second.stop_reason, 'max_tokens');
      assert.equal(second.usage.output_tokens, 5);
    });

    test('stop sequences end an answer', async () => {
      const first = await bench.openai.chat.completions.create({
        model,
        messages: say('say one two STOP three'),
        stop: ['STOP', 'HALT'],
      });
      assert.equal(first.choices[0]?.finish_reason, 'stop');
      assert.equal(first.choices[0]?.message.content?.trim(), 'one two');
      const second = await bench.anthropic.messages.create({
        model,
        max_tokens: 100,
        messages: say('say one two STOP three'),
        stop_sequences: ['STOP'],
      });
      assert.equal(textOf({ content: second.content }).trim(), 'one two');
      // Chat Completions do not report which sequence was met, or that one was.
      assert.equal(second.stop_reason, model === CLAUDE ? 'stop_sequence' : 'end_turn');
      assert.equal(second.stop_sequence, model === CLAUDE ? 'STOP' : null);
    });

    test('cached tokens are inside the prompt for OpenAI, in addition to it for Anthropic', async () => {
      const first = (await complete(model, 'cached')).usage;
      assert.equal(first?.prompt_tokens, PROMPT_TOKENS + CACHE_READ_TOKENS + CACHE_WRITE_TOKENS);
      assert.equal(first.prompt_tokens_details?.cached_tokens, CACHE_READ_TOKENS);
      assert.equal(first.total_tokens, first.prompt_tokens + first.completion_tokens);
      const second = (await message(model, 'cached')).usage;
      const streamed = bench.anthropic.messages.stream({ model, max_tokens: 100, messages: say('cached') });
      if (model !== CLAUDE) assert.ok(!('total_tokens' in second));
      for (const usage of [second, (await streamed.finalMessage()).usage]) {
        assert.equal(usage.input_tokens, PROMPT_TOKENS);
        assert.equal(usage.cache_read_input_tokens, CACHE_READ_TOKENS);
        assert.equal(usage.cache_creation_input_tokens, CACHE_WRITE_TOKENS);
      }
    });

    test('a call’s cost is on its record, and in the usage if the format has a field', async () => {
      // 100 × 2 + 40 × 0.2 + 10 × 2.5 + 3 × 10 dollars a million.
      const nanoUsd = 263_000n;
      for (const stream of [false, true]) {
        const recorded = bench.nextRecord();
        const usage = await openaiUsage(model, 'cached', stream);
        assert.equal(usage['cost'], 0.000263);
        const record = await recorded;
        assert.equal(record.cost, nanoUsd);
        assert.equal(record.usageSource, 'reported');
        assert.equal(record.streamed, stream);
        assert.equal(record.upstreamDialect, model === CLAUDE ? 'anthropic-messages' : 'openai-chat');
      }
      const recorded = bench.nextRecord();
      const answer = await message(model, 'cached');
      assert.ok(!('cost' in answer.usage));
      assert.equal((await recorded).cost, nanoUsd);
    });

    test('a long answer arrives complete, to the word', async () => {
      assert.equal((await complete(model, 'long')).choices[0]?.message.content, LONG_TEXT);
      const stream = bench.anthropic.messages.stream({ model, max_tokens: 5_000, messages: say('long') });
      assert.equal(await stream.finalText(), LONG_TEXT);
    });
  });
}

async function openaiUsage(model: string, content: string, stream: boolean): Promise<Record<string, unknown>> {
  if (!stream) return { ...(await complete(model, content)).usage };
  const chunks = await bench.openai.chat.completions.create({
    model,
    messages: say(content),
    stream,
    stream_options: { include_usage: true },
  });
  return { ...(await Array.fromAsync(chunks)).at(-1)?.usage };
}

/** The texts that the provider of a model was sent last: instructions first. */
function conversation(model: string): readonly string[] {
  if (model !== CLAUDE) return listed(bench.strictOpenai.last().body['messages']).map(textOf);
  const { system, messages } = bench.strictAnthropic.last().body;
  return [textOf({ content: system }), ...listed(messages).map(textOf)];
}

function listed(value: unknown): readonly Record<string, unknown>[] {
  return value as readonly Record<string, unknown>[];
}
