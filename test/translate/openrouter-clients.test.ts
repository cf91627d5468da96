/**
 * Goal: what clients of OpenRouter send with every call is served by any provider, says who served it, and its labels.
 * Method: the requests of LiteLLM, pydantic-ai, the AI SDK's provider and OpenRouter's own package, noted from what they sent and
 * written by hand, over four strict providers: the Messages API, OpenAI, OpenRouter, and one of unknown make.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  CLAUDE,
  CLAUDE_BUDGET,
  GPT,
  GPT_NEW,
  openTranslateBench,
  ROUTED,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

type Fields = Readonly<Record<string, unknown>>;
interface ClientCall {
  readonly client: string;
  readonly fields: (model: string) => Fields;
  readonly headers?: Readonly<Record<string, string>>;
}

const CALLS: readonly ClientCall[] = [
  {
    client: 'LiteLLM',
    fields: () => ({ usage: { include: true } }),
    headers: { 'http-referer': 'https://litellm.ai', 'x-title': 'liteLLM' },
  },
  {
    client: 'LiteLLM with all of its own fields',
    fields: (model) => ({ transforms: [], models: [model], route: 'fallback', usage: { include: true } }),
  },
  { client: 'pydantic-ai', fields: () => ({ stream: false }) },
  {
    client: 'pydantic-ai with all of its settings',
    fields: (model) => ({
      ...{ stream: false, models: [model], provider: { allow_fallbacks: true }, transforms: ['middle-out'] },
      ...{ reasoning: { effort: 'low' }, usage: { include: true } },
    }),
  },
  {
    client: '@openrouter/ai-sdk-provider',
    fields: () => ({ user: 'u1', reasoning: { effort: 'low' }, usage: { include: true }, plugins: [] }),
    headers: { 'http-referer': 'https://app.example', 'x-openrouter-title': 'My App' },
  },
  {
    client: '@openrouter/ai-sdk-provider with the older field',
    fields: () => ({ include_reasoning: true, provider: { order: ['anthropic'] } }),
  },
  {
    client: '@openrouter/sdk',
    fields: () => ({ stream: false, user: 'u', metadata: { team: 'a' }, reasoning: { effort: 'low' } }),
    headers: { 'http-referer': 'https://app.example', 'x-openrouter-categories': 'cli-agent' },
  },
];
const PROVIDERS: Readonly<Record<string, string>> = {
  [CLAUDE]: 'messages',
  [GPT]: 'completions',
  [GPT_NEW]: 'vendor',
  [ROUTED]: 'router',
};

for (const [model, provider] of Object.entries(PROVIDERS)) {
  describe(`over ${provider}`, () => {
    for (const { client, fields, headers = {} } of CALLS) {
      for (const streamed of [false, true]) {
        test(`${client}${streamed ? ', streamed' : ''}`, async () => {
          const response = await ask(model, { ...fields(model), stream: streamed }, headers);
          const text = await response.text();
          assert.equal(response.status, 200, text);
          if (!streamed) {
            const answer = JSON.parse(text);
            // OpenRouter says by itself who served.
            assert.equal(typeof answer.provider, 'string');
            if (provider !== 'router') assert.equal(answer.provider, provider);
            assert.equal(typeof answer.usage.cost, 'number');
          } else if (provider === 'messages') assert.match(text, /"provider":"messages"/);
        });
      }
    }
  });
}

test('a reasoning option reaches each provider in its own field', async () => {
  const low = { reasoning: { effort: 'low' }, max_tokens: 10_000 };
  await ask(CLAUDE_BUDGET, low);
  assert.deepEqual(bench.strictAnthropic.last().body['thinking'], { type: 'enabled', budget_tokens: 2000 });
  await ask(CLAUDE_BUDGET, { reasoning: { max_tokens: 3000 }, max_tokens: 10_000 });
  assert.deepEqual(bench.strictAnthropic.last().body['thinking'], { type: 'enabled', budget_tokens: 3000 });
  await ask(CLAUDE_BUDGET, { thinking: { type: 'enabled', budget_tokens: 2500 }, max_tokens: 10_000 });
  assert.deepEqual(bench.strictAnthropic.last().body['thinking'], { type: 'enabled', budget_tokens: 2500 });
  for (const model of [GPT, GPT_NEW]) {
    await ask(model, low);
    assert.equal(bench.strictOpenai.last().body['reasoning_effort'], 'low');
    assert.equal('reasoning' in bench.strictOpenai.last().body, false);
  }
  await ask(ROUTED, low);
  assert.deepEqual(bench.strictOpenai.last().body['reasoning'], { effort: 'low' });
});

test('what is not followed is reported, whether the call is relayed or translated', async () => {
  for (const model of [CLAUDE, GPT]) {
    const { headers } = await ask(model, { provider: { sort: 'price' }, transforms: ['middle-out'] });
    const warnings = headers.get('x-turnpike-warnings') ?? '';
    assert.doesNotMatch(warnings, /provider/, 'it is followed');
    assert.ok(
      warnings.includes('transforms was left out: prompts that are too long are refused, not shortened'),
      warnings,
    );
  }
});

test('a condition is refused for every provider, and none is called', async () => {
  const asked = () => bench.strictOpenai.requests.length + bench.strictAnthropic.requests.length;
  for (const model of Object.keys(PROVIDERS)) {
    for (const [fields, param] of [
      [{ models: 'other/model' }, 'models'],
      [{ provider: { data_collection: 'deny' } }, 'provider.data_collection'],
      [{ provider: { max_price: { prompt: '0' } } }, 'provider.max_price'],
      [{ plugins: [{ id: 'web' }] }, 'plugins[0]'],
    ] as const) {
      const before = asked();
      const response = await ask(model, fields);
      const { error } = (await response.json()) as { error: { param: string; code: string } };
      assert.deepEqual([response.status, error.code, error.param], [400, 'unsupported_value', param]);
      assert.equal(asked(), before);
    }
  }
});

test('a :free suffix is not served by a model that costs something', async () => {
  const response = await ask(`${GPT}:free`, {});
  const { error } = (await response.json()) as { error: { message: string } };
  assert.equal(response.status, 404);
  assert.match(error.message, /Leave out ":free" to use strict\/gpt at its price\./);
  assert.equal((await ask(`${GPT}:floor`, {})).status, 200);
});

test('the end user is kept on the record, and sent on only to providers that take it', async () => {
  const headers = { 'http-referer': 'https://app.example/desk?token=secret', 'x-openrouter-title': 'My App' };
  for (const model of [CLAUDE, GPT_NEW]) {
    const response = await ask(model, { user: 'u1', metadata: { team: 'a' } }, headers);
    assert.equal(response.status, 200, await response.text());
    const id = response.headers.get('x-generation-id');
    const found = await fetch(`${bench.url}/api/v1/generation?id=${id}`, { headers: bearer() });
    const { data } = (await found.json()) as { data: Fields };
    assert.deepEqual(
      [data['external_user'], data['app'], data['http_referer'], data['metadata']],
      ['u1', 'My App', 'https://app.example/desk', { team: 'a' }],
    );
  }
  const { body, headers: sent } = bench.strictOpenai.last();
  assert.equal(body['user'], 'u1');
  // OpenAI takes it only from callers that have answers stored.
  assert.equal('metadata' in body, false);
  assert.ok(!JSON.stringify(sent).includes('app.example'));
});

function bearer(): Record<string, string> {
  return { authorization: `Bearer ${bench.key}` };
}

function ask(model: string, fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${bench.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }], ...fields }),
  });
}
