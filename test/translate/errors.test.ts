/**
 * Goal: a refusal or a failure of a provider of the other format becomes the class that the caller's package has
 * for it, before a stream and in it. Method: commands that make the strict providers refuse, fail and break.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { REFUSAL_TEXT } from '../support/strict-commands.ts';
import { CLAUDE, GPT, openTranslateBench, ROUTED, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const say = (content: string) => [{ role: 'user' as const, content }];
const complete = (model: string, content: string) =>
  bench.openai.chat.completions.create({ model, messages: say(content) });
const message = (model: string, content: string) =>
  bench.anthropic.messages.create({ model, max_tokens: 100, messages: say(content) });

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

for (const model of [GPT, ROUTED, CLAUDE]) {
  describe(`of ${model}`, () => {
    test('a refusal of the model is a refusal in both formats, whole and streamed', async () => {
      const { choices } = await complete(model, 'refuse');
      const said = choices[0]?.message;
      assert.equal(said?.refusal ?? said?.content, REFUSAL_TEXT);
      const answers = [
        await message(model, 'refuse'),
        await bench.anthropic.messages.stream({ model, max_tokens: 100, messages: say('refuse') }).finalMessage(),
      ];
      for (const answer of answers) {
        assert.equal(answer.stop_reason, 'refusal');
        assert.ok(JSON.stringify(answer).includes(REFUSAL_TEXT));
      }
      const stream = await bench.openai.chat.completions.create({ model, messages: say('refuse'), stream: true });
      const deltas = (await Array.fromAsync(stream)).map((chunk) => chunk.choices[0]?.delta);
      assert.equal(deltas.map((delta) => delta?.refusal ?? delta?.content ?? '').join(''), REFUSAL_TEXT);
    });

    test('a prompt that is too long is reported in the caller’s words', async () => {
      const first = await failure(complete(model, 'overflow'), OpenAI.BadRequestError);
      assert.equal(first.code, 'context_length_exceeded');
      const second = await failure(message(model, 'overflow'), Anthropic.BadRequestError);
      assert.match(
        second.message,
        model === CLAUDE
          ? /prompt is too long: 210000 tokens > 200000 maximum/
          : /prompt is too long: 130000 tokens > 128000 maximum/,
      );
    });

    test('a limit of the provider is a RateLimitError that says when to retry', async () => {
      const first = await failure(complete(model, 'status 429'), OpenAI.RateLimitError);
      assert.equal(first.headers?.get('retry-after'), '17');
      const second = await failure(message(model, 'status 429'), Anthropic.RateLimitError);
      assert.equal(second.headers?.get('retry-after'), '17');
      assert.equal(second.type, 'rate_limit_error');
    });

    test('a credential the provider rejects is a 502, a broken or overloaded provider a 5xx', async () => {
      for (const status of [401, 403, 500, 503, 529]) {
        const first = await failure(complete(model, `status ${status}`), OpenAI.InternalServerError);
        const second = await failure(message(model, `status ${status}`), Anthropic.InternalServerError);
        if (status < 500) assert.deepEqual([first.status, second.status], [502, 502]);
      }
    });

    test('a bad request keeps the provider’s message', async () => {
      assert.match((await failure(complete(model, 'status 400'), OpenAI.BadRequestError)).message, /as it was asked/);
      assert.match((await failure(message(model, 'status 400'), Anthropic.BadRequestError)).message, /as it was asked/);
    });

    for (const command of ['fail-in-stream', 'cut']) {
      test(`${command}: what had arrived is read, then the error; nothing says the answer is complete`, async () => {
        const recorded = bench.nextRecord();
        let text = '';
        let finished = false;
        const first = bench.openai.chat.completions.create({ model, messages: say(command), stream: true });
        await failure(
          (async () => {
            for await (const chunk of await first) {
              text += chunk.choices[0]?.delta.content ?? '';
              finished ||= (chunk.choices[0]?.finish_reason ?? 'error') !== 'error';
            }
          })(),
          OpenAI.APIError,
        );
        assert.equal(text, 'as far as it goes');
        assert.equal(finished, false);
        assert.equal((await recorded).ending, 'upstream_failed');

        const read: string[] = [];
        text = '';
        await failure(
          (async () => {
            const stream = await bench.anthropic.messages.create({
              model,
              max_tokens: 100,
              messages: say(command),
              stream: true,
            });
            for await (const event of stream) {
              read.push(event.type);
              if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
            }
          })(),
          Anthropic.APIError,
        );
        assert.equal(text, 'as far as it goes');
        assert.ok(!read.includes('message_stop') && !read.includes('message_delta'));
      });

      test(`${command}: if a whole answer was requested it is an error and nothing else`, async () => {
        await failure(complete(model, command), OpenAI.InternalServerError);
        await failure(message(model, command), Anthropic.InternalServerError);
      });
    }
  });
}

test('failed calls cost nothing', async () => {
  for (const command of ['status 429', 'overflow', 'cut']) {
    const recorded = bench.nextRecord();
    await complete(CLAUDE, command).catch(() => undefined);
    assert.equal((await recorded).charge, 0n);
  }
});
