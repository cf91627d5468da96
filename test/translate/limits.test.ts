/**
 * Goal: what the other format cannot express is reported (`x-turnpike-warnings`) or refused, never lost; what a
 * model does not take is not sent to it. Method: requests of the official packages, and hand-written ones, to strict providers.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { COUNTED_TOKENS } from '../support/strict-commands.ts';
import { listOf } from '../support/strict-server.ts';
import {
  CLAUDE,
  CLAUDE_NEWEST,
  CLAUDE_NOSAMPLING,
  GPT,
  GPT_NEW,
  GPT_NOSAMPLING,
  openTranslateBench,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const messages = [{ role: 'user' as const, content: 'say hi' }];
/** As an older package asks: the newest one has no sampling fields. */
const OLDER = { 'anthropic-version': '2023-06-01' };
const warningsOf = (response: Response) => response.headers.get('x-turnpike-warnings') ?? '';

describe('what is left out is reported', () => {
  test('fields of OpenAI that Anthropic does not have', async () => {
    const recorded = bench.nextRecord();
    const { data, response } = await bench.openai.chat.completions
      .create({ model: CLAUDE, messages, seed: 7, frequency_penalty: 0.5, logit_bias: { 50256: -100 } })
      .withResponse();
    assert.equal(data.choices[0]?.message.content, 'hi');
    for (const field of ['seed', 'frequency_penalty', 'logit_bias'])
      assert.ok(warningsOf(response).includes(field), field);
    assert.ok((await recorded).warnings.length >= 3);
  });

  test('in a stream too', async () => {
    const { response } = await bench.openai.chat.completions
      .create({ model: CLAUDE, messages, seed: 7, stream: true })
      .withResponse();
    assert.match(warningsOf(response), /seed/);
    await response.text();
  });

  test('fields of Anthropic that OpenAI does not have', async () => {
    const response = await bench.post('/v1/messages', { model: GPT_NEW, max_tokens: 99, messages, top_k: 5 }, OLDER);
    assert.equal(response.status, 200, await response.text());
    assert.match(warningsOf(response), /top_k/);
  });

  test('there is no warning if nothing is lost', async () => {
    const { response } = await bench.openai.chat.completions
      .create({ model: CLAUDE, messages, max_tokens: 50, stop: ['x'], user: 'u-1' })
      .withResponse();
    assert.equal(warningsOf(response), '');
  });
});

describe('sampling', () => {
  test('of an OpenAI caller fits what Anthropic takes', async () => {
    for (const model of [CLAUDE, CLAUDE_NOSAMPLING, CLAUDE_NEWEST]) {
      const { data, response } = await bench.openai.chat.completions
        .create({ model, messages, temperature: 1.7, top_p: 0.9 })
        .withResponse();
      assert.equal(data.choices[0]?.message.content, 'hi');
      assert.notEqual(warningsOf(response), '');
    }
  });

  test('together with thinking does not make Anthropic refuse', async () => {
    const request = { model: CLAUDE, messages, temperature: 0.2, top_p: 0.5, reasoning_effort: 'low' as const };
    const answer = await bench.openai.chat.completions.create(request);
    assert.equal(answer.choices[0]?.message.content, 'hi');
  });

  test('of an Anthropic caller is not sent to a model that takes none', async () => {
    const body = { model: GPT_NOSAMPLING, max_tokens: 99, messages, temperature: 0.3 };
    const response = await bench.post('/v1/messages', body, OLDER);
    assert.equal(response.status, 200, await response.text());
    assert.match(warningsOf(response), /temperature/);
    const plain = await bench.post('/v1/messages', { ...body, model: GPT }, OLDER);
    assert.equal(plain.status, 200, await plain.text());
    assert.equal(bench.strictOpenai.last().body['temperature'], 0.3);
  });

  test('stop sequences reach models of the catalogue, whose list of fields does not speak of them', async () => {
    const stopped = [{ role: 'user' as const, content: 'say one STOP two' }];
    const request = { model: 'openai/gpt-4o', max_tokens: 99, messages: stopped, stop_sequences: ['STOP'] };
    const answer = await bench.anthropic.messages.create(request);
    assert.deepEqual(bench.strictOpenai.last().body['stop'], ['STOP']);
    assert.equal(answer.content.length, 1);
  });
});

describe('caps and budgets', () => {
  test('without a cap Anthropic gets the model’s maximum', async () => {
    await bench.openai.chat.completions.create({ model: CLAUDE, messages });
    assert.equal(bench.strictAnthropic.last().body['max_tokens'], 64_000);
  });

  test('a small cap and a large effort together stay within the rules', async () => {
    for (const max_tokens of [1, 100, 1_024, 1_025, 3_000]) {
      const answer = await bench.openai.chat.completions.create({
        model: 'strict/claude-budget',
        messages,
        max_tokens,
        reasoning_effort: 'high',
      });
      assert.equal(answer.choices[0]?.message.content, 'hi');
    }
  });

  test('the cap has the name that the provider expects', async () => {
    await bench.anthropic.messages.create({ model: GPT_NEW, max_tokens: 77, messages });
    assert.equal(bench.strictOpenai.last().body['max_completion_tokens'], 77);
    await bench.anthropic.messages.create({ model: GPT, max_tokens: 77, messages });
    assert.equal(bench.strictOpenai.last().body['max_tokens'], 77);
  });
});

describe('what must not be lost is refused', () => {
  test('n above 1 to Anthropic', async () => {
    await assert.rejects(bench.openai.chat.completions.create({ model: CLAUDE, messages, n: 2 }), (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.equal(error.code, 'unsupported_value');
      assert.equal(error.param, 'n');
      return true;
    });
  });

  test('a thread to OpenAI', async () => {
    const request = { model: GPT, max_tokens: 9, messages, thread: { type: 'create' } };
    await assert.rejects(bench.anthropic.messages.create(request as never), (error) => {
      assert.ok(error instanceof Anthropic.BadRequestError);
      assert.match(JSON.stringify(error.error), /thread_unsupported_request/);
      return true;
    });
  });

  test('server tools to OpenAI', async () => {
    const tools = [{ type: 'web_search_20250305' as const, name: 'web_search' as const }];
    await assert.rejects(
      bench.anthropic.messages.create({ model: GPT, max_tokens: 9, messages, tools }),
      Anthropic.BadRequestError,
    );
  });

  test('a refused request reaches no provider and costs nothing', async () => {
    const before = bench.strictAnthropic.requests.length;
    await bench.openai.chat.completions.create({ model: CLAUDE, messages, n: 3 }).catch(() => undefined);
    assert.equal(bench.strictAnthropic.requests.length, before);
  });
});

describe('odd conversations', () => {
  test('empty and blank texts are left out', async () => {
    const odd = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '  ' },
          { type: 'text', text: 'first' },
        ],
      },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'say hi' },
    ] as OpenAI.ChatCompletionMessageParam[];
    const answer = await bench.openai.chat.completions.create({ model: CLAUDE, messages: odd });
    assert.equal(answer.choices[0]?.message.content, 'hi');
  });

  test('a conversation that ends with the assistant is continued if the model can, otherwise refused or prompted to continue', async () => {
    const prefilled = [...messages, { role: 'assistant' as const, content: 'Well, ' }];
    const first = await bench.openai.chat.completions.create({ model: CLAUDE, messages: prefilled });
    assert.equal(first.choices[0]?.message.content, 'hi');
    const second = bench.openai.chat.completions.create({ model: CLAUDE_NEWEST, messages: prefilled });
    await second.catch((error: unknown) => assert.ok(error instanceof OpenAI.BadRequestError));
  });

  test('instructions in mid-conversation reach every model', async () => {
    const middle = [
      { role: 'user' as const, content: 'first' },
      { role: 'assistant' as const, content: 'second' },
      { role: 'system' as const, content: 'Be kind.' },
      ...messages,
    ];
    for (const model of [CLAUDE, CLAUDE_NEWEST]) {
      const answer = await bench.openai.chat.completions.create({ model, messages: middle });
      assert.equal(answer.choices[0]?.message.content, 'hi');
      assert.ok(JSON.stringify(bench.strictAnthropic.last().body).includes('Be kind.'));
    }
  });

  test('instructions between two messages of a user keep the order a model insists on', async () => {
    const between = [
      { role: 'user' as const, content: 'first' },
      { role: 'developer' as const, content: 'Be kind.' },
      ...messages,
    ];
    for (const model of [CLAUDE, CLAUDE_NEWEST]) {
      const answer = await bench.openai.chat.completions.create({ model, messages: between });
      assert.equal(answer.choices[0]?.message.content, 'hi');
      assert.ok(JSON.stringify(bench.strictAnthropic.last().body).includes('Be kind.'));
    }
  });

  test('a model that always thinks answers though it was asked not to', async () => {
    const { data, response } = await bench.openai.chat.completions
      .create({ model: 'anthropic/claude-fable-5', messages, reasoning_effort: 'none' })
      .withResponse();
    assert.equal(data.choices[0]?.message.content, 'hi');
    assert.match(warningsOf(response), /always thinks/);
  });

  test('more than four cache marks: four are kept', async () => {
    const marked = Array.from({ length: 7 }, (_, index) => ({
      type: 'text' as const,
      text: index === 6 ? 'say hi' : `part ${index}`,
      cache_control: { type: 'ephemeral' },
    }));
    const answer = await bench.openai.chat.completions.create({
      model: CLAUDE,
      messages: [{ role: 'user', content: marked }],
    });
    assert.equal(answer.choices[0]?.message.content, 'hi');
    const parts = listOf(listOf(bench.strictAnthropic.last().body['messages'])[0]?.['content']);
    assert.equal(parts.filter((part) => part['cache_control'] !== undefined).length, 4);
  });
});

describe('tokens are counted', () => {
  test('exactly if the provider counts', async () => {
    const { data, response } = await bench.anthropic.messages.countTokens({ model: CLAUDE, messages }).withResponse();
    assert.equal(data.input_tokens, COUNTED_TOKENS);
    assert.equal(response.headers.get('x-turnpike-estimated'), null);
  });

  test('as an estimate, marked as one, if it does not', async () => {
    const { data, response } = await bench.anthropic.messages.countTokens({ model: GPT, messages }).withResponse();
    assert.ok(data.input_tokens > 0 && data.input_tokens < 100);
    assert.equal(response.headers.get('x-turnpike-estimated'), 'true');
    const long = [{ role: 'user' as const, content: 'word '.repeat(1_000) }];
    assert.ok((await bench.anthropic.messages.countTokens({ model: GPT, messages: long })).input_tokens >= 1_000);
  });

  test('a request the provider refuses to count is refused, in its words', async () => {
    const wrong = { model: CLAUDE, messages: [{ role: 'user' as const, content: ' ' }] };
    await assert.rejects(bench.anthropic.messages.countTokens(wrong), (error) => {
      assert.ok(error instanceof Anthropic.BadRequestError, String(error));
      assert.equal(error.type, 'invalid_request_error');
      assert.match(error.message, /text content blocks must contain non-whitespace text/);
      return true;
    });
  });
});
