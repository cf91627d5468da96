/**
 * Goal: each failure arrives as the class that the official packages have for it, and is retried
 * only if that helps. Method: both packages against a gateway whose provider is scripted.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { newSecret } from '../../src/accounts/secret/key-secret.ts';
import type { Script } from '../support/scripted-upstream.ts';
import {
  type Bench,
  SCRIPTED_CREDENTIAL,
  SCRIPTED_MODEL,
  startGatewayWithUpstream,
} from '../support/start-gateway-with-upstream.ts';
import {
  answerWell,
  anthropicFrames,
  data,
  event,
  htmlInstead,
  openaiFrames,
  redirectElsewhere,
  refuse,
  resetAtOnce,
  streamThen,
} from '../support/upstream-scripts.ts';

let bench: Bench;
before(async () => {
  bench = await startGatewayWithUpstream();
});
after(async () => {
  assert.ok(!(await bench.stop()).includes(SCRIPTED_CREDENTIAL), 'a credential was printed');
});
beforeEach(() => bench.upstream.play(answerWell));

const openai = (apiKey = bench.gateway.key, maxRetries = 0) =>
  new OpenAI({ baseURL: `${bench.gateway.url}/api/v1`, apiKey, maxRetries });
const anthropic = (apiKey = bench.gateway.key, maxRetries = 0) =>
  new Anthropic({ baseURL: bench.gateway.url, apiKey, maxRetries });
const messages = [{ role: 'user' as const, content: 'hi' }];
const chat = (client: OpenAI, model = SCRIPTED_MODEL) => client.chat.completions.create({ model, messages });
const message = (client: Anthropic, model = SCRIPTED_MODEL) =>
  client.messages.create({ model, max_tokens: 10, messages });

describe('what the gateway refuses', () => {
  test('an unknown key is an AuthenticationError in both', async () => {
    const key = newSecret().reveal();
    const first = await failure(chat(openai(key)), OpenAI.AuthenticationError);
    assert.equal(first.code, 'invalid_api_key');
    assert.match(first.headers?.get('www-authenticate') ?? '', /^Bearer/);
    const second = await failure(message(anthropic(key)), Anthropic.AuthenticationError);
    assert.equal(second.type, 'authentication_error');
    assert.equal(bench.upstream.exchanges.length, 0);
  });

  test('an unknown model is a NotFoundError in both, with the nearest names', async () => {
    const first = await failure(chat(openai(), 'scripted/modle'), OpenAI.NotFoundError);
    assert.equal(first.code, 'model_not_found');
    assert.match(first.message, /scripted\/model/);
    const second = await failure(message(anthropic(), 'scripted/modle'), Anthropic.NotFoundError);
    assert.equal(second.type, 'not_found_error');
    assert.match(second.message, /scripted\/model/);
  });

  test('empty messages are a BadRequestError in both', async () => {
    await failure(openai().chat.completions.create({ model: SCRIPTED_MODEL, messages: [] }), OpenAI.BadRequestError);
    await failure(
      anthropic().messages.create({ model: SCRIPTED_MODEL, max_tokens: 10, messages: [] }),
      Anthropic.BadRequestError,
    );
  });

  test('a base address one segment off is a NotFoundError that names the right one', async () => {
    const client = new OpenAI({ baseURL: `${bench.gateway.url}/api`, apiKey: bench.gateway.key, maxRetries: 0 });
    const error = await failure(chat(client), OpenAI.NotFoundError);
    assert.match(error.message, /\/api\/v1/);
  });
});

describe('what the provider answers', () => {
  const openaiRefusal = (code: string) => ({
    error: { message: 'no', type: 'invalid_request_error', param: null, code },
  });
  const anthropicRefusal = (type: string) => ({ type: 'error', error: { type, message: 'no' }, request_id: 'req_up' });

  test("a 400 keeps the provider's own words in both", async () => {
    bench.upstream.play(refuse(400, openaiRefusal('context_length_exceeded')));
    const first = await failure(chat(openai()), OpenAI.BadRequestError);
    assert.equal(first.code, 'context_length_exceeded');
    bench.upstream.play(refuse(400, anthropicRefusal('invalid_request_error')));
    const second = await failure(message(anthropic()), Anthropic.BadRequestError);
    assert.match(second.message, /"no"/);
  });

  test('a 429 is a RateLimitError in both and keeps retry-after', async () => {
    bench.upstream.play(refuse(429, openaiRefusal('rate_limit_exceeded'), { 'retry-after': '17' }));
    const first = await failure(chat(openai()), OpenAI.RateLimitError);
    assert.equal(first.headers?.get('retry-after'), '17');
    bench.upstream.play(refuse(429, anthropicRefusal('rate_limit_error'), { 'retry-after': '17' }));
    const second = await failure(message(anthropic()), Anthropic.RateLimitError);
    assert.equal(second.headers?.get('retry-after'), '17');
    assert.equal(second.type, 'rate_limit_error');
  });

  test('a rejected credential is a 502 in both, never a 401', async () => {
    for (const status of [401, 403]) {
      bench.upstream.play(refuse(status, openaiRefusal('invalid_api_key')));
      const first = await failure(chat(openai()), OpenAI.InternalServerError);
      assert.equal(first.status, 502);
      assert.equal(first.code, 'upstream_credential_rejected');
      bench.upstream.play(refuse(status, anthropicRefusal('authentication_error')));
      const second = await failure(message(anthropic()), Anthropic.InternalServerError);
      assert.equal(second.status, 502);
    }
  });

  const unusable: readonly [string, Script][] = [
    ['a page of HTML', htmlInstead],
    ['a redirect', redirectElsewhere('http://127.0.0.1:9/')],
    ['a reset connection', resetAtOnce],
    ['a 500', refuse(500, openaiRefusal('x'))],
  ];
  for (const [what, script] of unusable) {
    test(`${what} is a 502 in both`, async () => {
      bench.upstream.play(script);
      assert.equal((await failure(chat(openai()), OpenAI.InternalServerError)).status, 502);
      assert.equal((await failure(message(anthropic()), Anthropic.InternalServerError)).status, 502);
    });
  }

  test('an overloaded provider is a 503 in both', async () => {
    bench.upstream.play(refuse(529, anthropicRefusal('overloaded_error')));
    const second = await failure(message(anthropic()), Anthropic.InternalServerError);
    assert.equal(second.type, 'overloaded_error');
    bench.upstream.play(refuse(503, openaiRefusal('server_is_overloaded')));
    assert.equal((await failure(chat(openai()), OpenAI.InternalServerError)).status, 503);
  });

  test('a package that may retry does so after a 429, and is then served', async () => {
    let refusals = 0;
    const once: Script = (exchange) => {
      refusals += 1;
      return refusals === 1
        ? refuse(429, openaiRefusal('rate_limit_exceeded'), { 'retry-after': '0' })(exchange)
        : answerWell(exchange);
    };
    bench.upstream.play(once);
    const answer = await chat(openai(bench.gateway.key, 1));
    assert.equal(answer.choices[0]?.message.content, 'Hi you');
    assert.equal(refusals, 2);
  });
});

describe('what breaks in the middle of a stream', () => {
  const openaiStart = openaiFrames(['Hi', ' you']).slice(0, 2);
  const anthropicStart = anthropicFrames(['Hi', ' you']).slice(0, 3);
  const breaks: readonly [string, (frames: readonly string[], error: string) => Script][] = [
    ['an error event', (frames, error) => streamThen([...frames, error], (exchange) => exchange.lastChunk())],
    ['a reset', (frames) => streamThen(frames, (exchange) => exchange.reset())],
    ['an early end', (frames) => streamThen(frames, (exchange) => exchange.lastChunk())],
    ['a connection closed cleanly', (frames) => streamThen(frames, (exchange) => exchange.finish())],
  ];
  for (const [what, script] of breaks) {
    test(`${what} is an APIError after what had come, in both`, async () => {
      bench.upstream.play(script(openaiStart, data({ error: { message: 'broke', type: 'server_error' } })));
      const chunks = await openai().chat.completions.create({ model: SCRIPTED_MODEL, messages, stream: true });
      let text = '';
      await failure(
        (async () => {
          for await (const chunk of chunks) text += chunk.choices[0]?.delta?.content ?? '';
        })(),
        OpenAI.APIError,
      );
      assert.equal(text, 'Hi');

      const error = event({ type: 'error', error: { type: 'api_error', message: 'broke' } });
      bench.upstream.play(script(anthropicStart, error));
      const events = await anthropic().messages.create({
        model: SCRIPTED_MODEL,
        max_tokens: 9,
        messages,
        stream: true,
      });
      const types: string[] = [];
      await failure(
        (async () => {
          for await (const each of events) types.push(each.type);
        })(),
        Anthropic.APIError,
      );
      assert.deepEqual(types, ['message_start', 'content_block_start', 'content_block_delta']);
    });
  }
});

/** What a promise rejects with; fails the test if it is of another class, or does not reject. */
async function failure<Failure extends Error>(
  promise: PromiseLike<unknown>,
  expected: new (...given: never[]) => Failure,
): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof expected, `${String(error)} is no ${expected.name}`);
    assert.ok(!String(error).includes(SCRIPTED_CREDENTIAL));
    return error;
  }
  return assert.fail(`no ${expected.name} came`);
}
