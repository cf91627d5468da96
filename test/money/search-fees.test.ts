/**
 * Goal: a search that a provider makes is held for and charged, or refused if its fee is not known; prepaid. Method: a provider
 * that reports its searches as the vendors do, for models with and without a price for them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { anthropicBody, isMessages, openaiBody } from '../support/upstream-scripts.ts';

const PRICES = { input: 1, output: 5 };
/** In nano-USD. */
const SEARCH_FEE = 10_000_000n;
const CALL_FEE = 35_000_000n;

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
before(async () => {
  upstream = await startScriptedUpstream((exchange) => {
    const body = isMessages(exchange)
      ? anthropicBody('hello').replace('"usage":{', '"usage":{"server_tool_use":{"web_search_requests":2},')
      : openaiBody('hello');
    return exchange.whole(200, body);
  });
  gateway = await openGateway({
    providers: [
      {
        name: 'lab',
        kind: 'custom',
        origin: upstream.origin,
        dialects: ['openai-chat', 'anthropic-messages'],
        models: [
          { upstream: 'plain', prices: PRICES, contextWindow: 20_000 },
          { upstream: 'searching', prices: { ...PRICES, webSearch: 0.01 }, contextWindow: 20_000 },
          { upstream: 'x-search-preview', prices: { ...PRICES, request: 0.035 }, contextWindow: 20_000 },
          { upstream: 'free', prices: 'free' },
        ],
      },
      { name: 'openai', credential: 'c-1', origin: upstream.origin },
      { name: 'openrouter', credential: 'c-1', origin: upstream.origin },
    ],
    billing: { firstRunCredit: '5' },
  });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

describe('of the Messages format', () => {
  const tool = { type: 'web_search_20260318', name: 'web_search', max_uses: 3 };

  test('a limited search with a price is held for and charged', async () => {
    const { status, record } = await ask('/v1/messages', 'lab/searching', { tools: [tool] });
    assert.equal(status, 200);
    assert.ok(record !== null && record.hold !== null && record.hold >= 3n * SEARCH_FEE);
    assert.equal(record.usage.webSearches, 2);
    assert.ok(record.charge > 2n * SEARCH_FEE && record.charge < 3n * SEARCH_FEE, String(record.charge));
  });

  for (const [what, model, tools] of [
    ['a limited search without a price', 'lab/plain', [tool]],
    ['a search without a date', 'lab/searching', [{ type: 'web_search', name: 'web_search' }]],
    ['a search without a date, with a limit', 'lab/searching', [{ ...tool, type: 'web_search' }]],
    ['another house’s search', 'lab/searching', [{ type: 'openrouter:web_search' }]],
    ['a tool by a field', 'lab/searching', [{ google_search: {} }]],
  ] as const)
    test(`${what} is refused before anything is sent`, async () => {
      const sent = upstream.exchanges.length;
      const { status, text } = await ask('/v1/messages', model, { tools });
      assert.equal(status, 400, text);
      assert.match(text, /cannot be paid from a balance/);
      assert.equal(upstream.exchanges.length, sent);
    });
});

describe('of chat completions', () => {
  for (const [what, extra] of [
    ['a tool by a field', { tools: [{ google_search: {} }] }],
    [
      'a field in addition to a function',
      { tools: [{ type: 'function', function: { name: 'f' }, google_search: {} }] },
    ],
    ['enable_search', { enable_search: true }],
    ['web_search_options', { web_search_options: {} }],
    ['a search tool', { tools: [{ type: 'web_search' }] }],
  ] as const)
    test(`${what} is refused if it has no price, and passes if everything is free`, async () => {
      const refused = await ask('/api/v1/chat/completions', 'lab/searching', extra);
      assert.equal(refused.status, 400, refused.text);
      assert.match(refused.text, /cannot be paid from a balance/);
      const free = await ask('/api/v1/chat/completions', 'lab/free', extra);
      assert.equal(free.status, 200, free.text);
    });

  test('a model that searches with every call has the fee of a call held and charged', async () => {
    for (const [model, extra] of [
      ['lab/x-search-preview', {}],
      ['lab/x-search-preview', { web_search_options: { user_location: null } }],
      ['openai/gpt-4o-search-preview', {}],
    ] as const) {
      const { status, text, record } = await ask('/api/v1/chat/completions', model, extra);
      assert.equal(status, 200, text);
      assert.ok(record !== null && record.charge > CALL_FEE && record.charge < 2n * CALL_FEE, String(record?.charge));
      assert.ok(record.hold !== null && record.hold > record.charge);
    }
  });

  for (const model of [
    'openai/gpt-5-search-api',
    'openai/o3-deep-research',
    'perplexity/sonar',
    'perplexity/sonar-pro',
    'perplexity/sonar-deep-research',
  ])
    test(`${model} has no price, because its fee is unknown`, async () => {
      const { status, text } = await ask('/api/v1/chat/completions', model, {});
      assert.equal(status, 404, text);
      assert.match(text, /has no price/);
    });
});

/** The record of a call that was let in; a refusal has none. */
async function ask(path: string, model: string, extra: object) {
  const before = gateway.records.length;
  const messages = [{ role: 'user', content: 'hi' }];
  const response = await gateway.post(path, { model, max_tokens: 100, messages, ...extra });
  const text = await response.text();
  if (response.status !== 200) return { status: response.status, text, record: null };
  const record = gateway.records[before] ?? (await gateway.nextRecord());
  return { status: response.status, text, record };
}
