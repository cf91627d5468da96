/**
 * Goal: a caller can read what it paid, and for what, from the reports immediately and to the nano. Method: a whole gateway
 * with a scripted provider, queried by OpenRouter's SDK and by plain requests right after each answer.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OpenRouter } from '@openrouter/sdk';
import { formatUsd, type Money, nanoUsd, parseUsd } from '../../src/core/money.ts';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  eventsOf,
  OPEN_MODEL,
  type OpenBench,
  openBench,
  PATHS,
} from '../support/open-gateway.ts';

const CREDIT = '5';

let bench: OpenBench;
before(async () => {
  bench = await openBench({ billing: { mode: 'prepaid', firstRunCredit: CREDIT } });
});
after(() => bench.close());

for (const dialect of DIALECTS) {
  for (const stream of [false, true]) {
    test(`${dialect}, ${stream ? 'streamed' : 'whole'}: the call is found right after its answer, by each of its ids`, async () => {
      const { generationId, requestId, upstreamId } = await call(dialect, stream);
      for (const id of [generationId, requestId, upstreamId]) {
        const { status, data } = await get(`/api/v1/generation?id=${id}`);
        assert.equal(status, 200, id);
        assert.equal(data['id'], generationId);
        assert.equal(data['upstream_id'], upstreamId);
        assert.equal(data['model'], OPEN_MODEL);
        assert.equal(data['streamed'], stream);
        assert.equal(data['finish_reason'], 'stop');
        assert.equal(data['ending'], 'complete');
        const prompt = Number(data['tokens_prompt']);
        const completion = Number(data['tokens_completion']);
        // 1 USD a million tokens in, 5 out.
        assert.equal(data['total_cost'], Number(formatUsd(nanoUsd(BigInt(prompt + 5 * completion) * 1000n))));
        assert.deepEqual(data['price_lines'], [
          { what: 'input', count: prompt, price: '0.000001', cost: prompt / 1e6 },
          { what: 'output', count: completion, price: '0.000005', cost: (5 * completion) / 1e6 },
        ]);
        assert.equal((data['provider_responses'] as unknown[]).length, 1);
      }
    });
  }
}

test('key, credits and activity agree on what was charged, to the nano', async () => {
  await call('openai-chat', false);
  const key = await get('/api/v1/key');
  const used = usdIn(key.text, 'usage');
  assert.ok(used > 0n);
  const balance = (parseUsd(CREDIT) - used) as Money;
  assert.ok(key.text.endsWith(`"balance":${formatUsd(balance)}}`), key.text);
  for (const name of ['usage_daily', 'usage_weekly', 'usage_monthly']) assert.equal(usdIn(key.text, name), used, name);
  assert.equal(key.data['held'], 0);
  assert.deepEqual((key.data['binding'] as { name: string }).name, 'balance');
  const credits = await get('/api/v1/credits');
  assert.equal(credits.text, `{"data":{"total_credits":${CREDIT},"total_usage":${formatUsd(used)}}}`);
  const rows = (await get('/api/v1/activity')).body.data as unknown as { usage: number; requests: number }[];
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.usage, Number(formatUsd(used)));
  assert.equal(rows[0]?.requests, bench.records.length);
});

test('a revoked key stays in the sums, and can still be queried by its number', async () => {
  const made = await makeKey({ name: 'short-lived' });
  await call('openai-chat', false, made.secret);
  const total = await requestsIn('/api/v1/activity');
  await bench.app.control.inject({ method: 'DELETE', url: `/control/api/keys/${made.id}` });
  assert.equal((await get('/api/v1/key', made.secret)).status, 401);
  assert.equal(await requestsIn('/api/v1/activity'), total);
  assert.equal(await requestsIn(`/api/v1/activity?key=${made.id}`), 1);
});

test('a management key reads all four, of its account', async () => {
  const { secret } = await makeKey({ name: 'manager', kind: 'management' });
  const { generationId } = await call('openai-chat', false);
  for (const path of ['key', 'credits', 'activity', `generation?id=${generationId}`])
    assert.equal((await get(`/api/v1/${path}`, secret)).status, 200, path);
});

test('the OpenRouter SDK reads all four', async () => {
  const client = new OpenRouter({
    serverURL: `${bench.url}/api/v1`,
    apiKey: bench.key,
    retryConfig: { strategy: 'none' },
  });
  const { generationId } = await call('openai-chat', true);
  assert.equal((await client.generations.getGeneration({ id: generationId })).data.id, generationId);
  assert.ok((await client.credits.getCredits()).data.totalUsage > 0);
  assert.ok((await client.analytics.getUserActivity()).data.length > 0);
  assert.ok((await client.apiKeys.getCurrentKeyMetadata()).data.usage > 0);
});

const refused: [path: string, status: number, code: string][] = [
  ['/api/v1/generation', 400, 'missing_field'],
  ['/api/v1/generation?id=gen-00000000000000000000000000', 404, 'not_found'],
  ['/api/v1/generation?id=chatcmpl-unknown', 404, 'not_found'],
  ['/api/v1/activity?date=tomorrow', 400, 'invalid_value'],
  ['/api/v1/activity?key=999', 404, 'not_found'],
];

for (const [path, status, code] of refused) {
  test(`${path} is ${status} in OpenRouter’s form`, async () => {
    const answer = await get(path);
    assert.equal(answer.status, status);
    assert.equal(answer.body.error?.code, status);
    assert.equal(answer.body.error?.metadata.error_type, code);
  });
}

interface Ids {
  readonly generationId: string;
  readonly requestId: string;
  /** The id in the answer's body, which is the provider's. */
  readonly upstreamId: string;
}

async function call(dialect: DialectUnderTest, stream: boolean, secret = bench.key): Promise<Ids> {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await bench.post(PATHS[dialect], chatBody(stream), headers);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const first = (stream ? eventsOf(text)[0] : JSON.parse(text)) as { id?: string; message?: { id: string } };
  return {
    generationId: String(response.headers.get('x-generation-id')),
    requestId: String(response.headers.get('x-request-id') ?? response.headers.get('request-id')),
    upstreamId: String(first.id ?? first.message?.id),
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: {
    readonly data: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly metadata: { readonly error_type: string } };
  };
  readonly data: Record<string, unknown>;
}

async function get(path: string, secret = bench.key): Promise<Answer> {
  const response = await fetch(bench.url + path, { headers: { authorization: `Bearer ${secret}` } });
  const text = await response.text();
  const body = JSON.parse(text) as Answer['body'];
  return { status: response.status, text, body, data: body.data };
}

async function requestsIn(path: string): Promise<number> {
  const rows = (await get(path)).body.data as unknown as { requests: number }[];
  return rows.reduce((sum, row) => sum + row.requests, 0);
}

async function makeKey(payload: object): Promise<{ readonly id: number; readonly secret: string }> {
  const answer = await bench.app.control.inject({ method: 'POST', url: '/control/api/keys', payload });
  assert.equal(answer.statusCode, 201, answer.body);
  const { data, key } = answer.json<{ data: { id: number }; key: string }>();
  return { id: data.id, secret: key };
}

/** An amount as it appears in the text, before a float could round it. */
function usdIn(text: string, name: string): Money {
  const found = new RegExp(`"${name}":(-?[0-9.]+)`).exec(text);
  assert.ok(found !== null, name);
  return parseUsd(String(found[1]));
}
