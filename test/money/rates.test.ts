/**
 * Goal: a call is held, charged, reported and verified at the rate and the prices that it was admitted with, whatever changes meanwhile.
 * Method: a whole gateway with a scripted provider; prices and rates change through the management API while calls run.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CallRecord } from '../../src/stats/record.ts';
import { chatBody, OPEN_MODEL, type OpenBench, openBench, openGateway } from '../support/open-gateway.ts';
import { type Exchange, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

/** What the account must be charged, apart from the program's own arithmetic. */
function priceOf({ cost, rate }: CallRecord): bigint {
  const exact = (cost ?? 0n) * BigInt(rate);
  return exact / 1_000_000n + (exact % 1_000_000n === 0n ? 0n : 1n);
}

const usd = (nano: bigint) => Number(nano) / 1e9;

describe('with a markup', () => {
  let bench: OpenBench;
  before(async () => {
    bench = await openBench({ billing: { firstRunCredit: '1000', markup: 12.5 } });
  });
  after(() => bench.close());

  const get = async (path: string) =>
    (await fetch(bench.url + path, { headers: { authorization: `Bearer ${bench.key}` } })).json();

  for (const stream of [false, true])
    test(`an answer ${stream ? 'as a stream' : 'at once'} costs the list price and 12.5 %, everywhere`, async () => {
      const before = (await get('/api/v1/credits')) as { data: { total_usage: number } };
      const recorded = bench.nextRecord();
      const response = await bench.post('/api/v1/chat/completions', chatBody(stream));
      const text = await response.text();
      const record = await recorded;
      assert.equal(record.rate, 1_125_000);
      assert.ok((record.cost ?? 0n) > 0n);
      assert.equal(record.charge, priceOf(record));
      assert.ok(record.charge > (record.cost ?? 0n) && record.charge <= (record.hold ?? 0n));
      assert.match(text, new RegExp(`"cost":${usd(record.charge)}[,}]`));
      const { data } = (await get(`/api/v1/generation?id=${response.headers.get('x-generation-id')}`)) as {
        data: Record<string, unknown>;
      };
      assert.deepEqual(
        [data['rate'], data['cost'], data['charge'], data['usage']],
        [1_125_000, usd(record.cost ?? 0n), usd(record.charge), usd(record.charge)],
      );
      const after = (await get('/api/v1/credits')) as typeof before;
      assert.equal(Math.round((after.data.total_usage - before.data.total_usage) * 1e9), Number(record.charge));
    });

  test('a key sees the prices that it is charged', async () => {
    const { data } = (await get('/api/v1/models')) as { data: { id: string; pricing: object }[] };
    assert.deepEqual(data.find(({ id }) => id === OPEN_MODEL)?.pricing, {
      prompt: '0.000001125',
      completion: '0.000005625',
    });
  });

  test('the operator sees the margin', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const to = new Date(Date.now() + 3_600_000).toISOString();
    const asked = `from=${from}&to=${to}&group_by=model`;
    const { data } = (await bench.app.control.inject(`/control/api/usage?${asked}&account=1`)).json();
    const charged = bench.records.reduce((sum, { charge }) => sum + charge, 0n);
    const cost = bench.records.reduce((sum, record) => sum + (record.cost ?? 0n), 0n);
    assert.deepEqual([data.totals.spend, data.totals.margin], [usd(charged), usd(charged - cost)]);
    assert.equal(data.groups[0].totals.margin, usd(charged - cost));
  });

  test('an account has rates of its own, audited; unknown models and absurd percentages are refused', async () => {
    const patch = (rates: object) =>
      bench.app.control.inject({ method: 'PATCH', url: '/control/api/accounts/1', payload: { rates } });
    const changed = await patch({ markup: 0, models: { [OPEN_MODEL]: 50 }, own_credential_fee: 5 });
    assert.deepEqual(changed.json().data.rates, { markup: 0, models: { [OPEN_MODEL]: 50 }, own_credential_fee: 5 });
    const recorded = bench.nextRecord();
    await (await bench.post('/api/v1/chat/completions', chatBody(false))).text();
    assert.equal((await recorded).rate, 1_500_000);
    assert.equal((await recorded).charge, priceOf(await recorded));
    const entry = (await bench.app.control.inject('/control/api/audit?limit=1')).json().data[0];
    assert.deepEqual([entry.action, entry.before.rates.markup, entry.after.rates.markup], ['account.update', null, 0]);
    for (const wrong of [
      { markup: -1 },
      { markup: 10_000.5 },
      { markup: 0.00001 },
      { markup: '10' },
      { models: { 'nobody/none': 1 } },
      { own_credential_fee: 20_000 },
    ])
      assert.equal((await patch(wrong)).json().error?.code, 'invalid_value', JSON.stringify(wrong));
    const removed = await patch({
      markup: null,
      models: { [OPEN_MODEL]: null, 'nobody/none': null },
      own_credential_fee: null,
    });
    assert.deepEqual(removed.json().data.rates, { markup: null, models: {}, own_credential_fee: null });
  });

  test('the ledger verifies', async () => {
    const { data } = (
      await bench.app.control.inject({ method: 'POST', url: '/control/api/ledger/verify', payload: {} })
    ).json();
    assert.deepEqual(data.violations, []);
    assert.equal(data.looked_at.settlements, bench.records.length);
  });
});

test('prices and rates change under running calls: each is settled and verified at those it began with', async (context) => {
  const waiting: (() => void)[] = [];
  const upstream = await startScriptedUpstream(async (exchange: Exchange) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await answerWell(exchange);
  });
  const gateway = await openGateway({ billing: { firstRunCredit: '1000', markup: 10 } });
  context.after(async () => {
    await gateway.close();
    await upstream.close();
  });
  const ask = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
    const answer = await gateway.app.control.inject({ method, url: `/control/api${url}`, payload });
    assert.ok(answer.statusCode < 300, answer.body);
    return answer.json();
  };
  const settings = (input: number) => [
    { upstream: 'm', id: OPEN_MODEL, price: { input: String(input), output: '5' }, output_cap: 1_000 },
  ];
  await ask('POST', '/providers', {
    name: 'changing',
    kind: 'custom',
    origin: upstream.origin,
    dialects: ['openai-chat', 'anthropic-messages'],
    model_settings: settings(1),
  });
  const answers: Promise<string>[] = [];
  const PATHS = ['/api/v1/chat/completions', '/api/v1/messages'];
  for (let round = 1; round <= 12; round += 1) {
    await ask('PATCH', '/providers/changing', { model_settings: settings(round) });
    await ask('PATCH', '/accounts/1', { rates: { markup: (round * 31_415) / 10_000 } });
    const called = gateway.nextCall();
    const sent = gateway.post(PATHS[round % 2] as string, chatBody(round % 3 === 0));
    answers.push(sent.then((response) => response.text()));
    await called;
    while (waiting.length < round) await new Promise((resolve) => setImmediate(resolve));
  }
  await ask('PATCH', '/providers/changing', { model_settings: settings(900) });
  await ask('PATCH', '/accounts/1', { rates: { markup: 10_000 } });
  for (const go of waiting) go();
  await Promise.all(answers);
  while (gateway.records.length < 12) await new Promise((resolve) => setImmediate(resolve));

  const byRate = [...gateway.records].sort((left, right) => left.rate - right.rate);
  for (const [index, record] of byRate.entries()) {
    const round = index + 1;
    assert.equal(record.rate, 1_000_000 + round * 31_415);
    const { inputTokens, outputTokens } = record.usage;
    assert.equal(record.cost, BigInt(inputTokens) * BigInt(round) * 1_000n + BigInt(outputTokens) * 5_000n);
    assert.equal(record.charge, priceOf(record));
    assert.ok(record.charge <= (record.hold ?? 0n));
  }
  assert.equal(new Set(byRate.map(({ priceVersion }) => priceVersion)).size, 12);
  const { data } = await ask('POST', '/ledger/verify', {});
  assert.deepEqual([data.violations, data.looked_at.settlements], [[], 12]);
});
