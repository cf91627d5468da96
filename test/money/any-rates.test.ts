/**
 * Goal: whatever the rates, prices and routes, each call is charged its cost at the rate of the model and the credential that served it, within
 * its hold, and balance, reports and ledger agree to the nano-dollar. Method: a whole gateway, calls over real sockets with seeded rates at every
 * edge, prices from nothing to dear, failures that lead to another model, and own credentials; added up apart from the program.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { balanceOf } from '../../src/billing/money-view.ts';
import { accountId, generationId } from '../../src/core/ids.ts';
import { formatUsd, nanoUsd, usdLiteral } from '../../src/core/money.ts';
import { neverResting } from '../support/never-resting.ts';
import { chatBody, openGateway } from '../support/open-gateway.ts';
import { type Exchange, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

/** Percent: 1,000,000, 1,000,001 and 10,000,000 parts per million, others that do not divide, and the highest. */
const MARKUPS = [0, 0.0001, 900, 33.3333, 7.7777, 10_000];
/** 0, 1, 999,999, 1,000,000, 1,000,001 and 10,000,000 parts per million. */
const FEES = [0, 0.0001, 99.9999, 100, 100.0001, 1_000];
/** USD a million tokens. */
const PRICES = [0, 0.000001, 0.15, 3.333333, 60, 1_000];
const MODELS = ['lab/first', 'lab/second'] as const;
const ROUNDS = 36;

let failing: readonly string[] = [];
const upstream = await startScriptedUpstream(async (exchange: Exchange) => {
  const { model } = JSON.parse(exchange.request.body.toString('utf8')) as { model: string };
  if (failing.includes(`lab/${model}`)) return exchange.whole(500, '{"error":{"message":"no"}}');
  return answerWell(exchange);
});
const gateway = await openGateway({
  billing: { firstRunCredit: '100000' },
  egress: { allow: ['127.0.0.1/32'], http: true },
  providers: [{ name: 'openai', kind: 'openai', origin: upstream.origin, credential: 'canary-of-the-operator' }],
});
neverResting(gateway);
after(async () => {
  await gateway.close();
  await upstream.close();
});

const control = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const answer = await gateway.app.control.inject({
    method,
    url: `/control/api${url}`,
    ...(payload === undefined ? {} : { payload }),
  });
  assert.ok(answer.statusCode < 300, answer.body);
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
  return answer.json<any>();
};
const balance = async () => (await balanceOf(gateway.app.gateway.bank.money, accountId(1)))?.balance ?? 0n;
const pick = <Item>(from: readonly Item[], index: number): Item => from[Math.floor(index) % from.length] as Item;
const partsOf = (percent: number) => Math.round(percent * 10_000);
const usd = (nano: bigint) => JSON.parse(JSON.stringify(usdLiteral(nanoUsd(nano))));

test('charges, holds, balance, margin and ledger agree, call by call and in sum', async () => {
  await control('POST', '/providers', {
    name: 'lab',
    kind: 'custom',
    origin: upstream.origin,
    dialects: ['openai-chat'],
    model_settings: [],
  });
  const opening = await balance();
  const sums = { charge: 0n, borne: 0n, own: 0n };
  const free: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const isOwn = round % 3 === 2;
    const [markup, ofSecond, fee] = [pick(MARKUPS, round), pick(MARKUPS, round + 3 + round / 6), pick(FEES, round / 3)];
    await control('PATCH', '/providers/lab', {
      model_settings: MODELS.map((id, index) => ({
        upstream: id.slice('lab/'.length),
        price: {
          input: pick(PRICES, round + index).toFixed(6),
          output: pick(PRICES, round + 2 * index + 1).toFixed(6),
        },
        output_cap: 1_000,
      })),
    });
    await control('PATCH', '/accounts/1', {
      rates: { markup, models: { [MODELS[1]]: ofSecond }, own_credential_fee: fee },
    });
    failing = round % 2 === 0 ? [MODELS[0]] : [];
    const own = isOwn
      ? await control('POST', '/byok', {
          provider: 'openai',
          key: `canary-own-${round}`,
          base_url: upstream.origin,
          use: 'only',
        })
      : null;
    const recorded = gateway.nextRecord();
    const body = isOwn
      ? chatBody(round % 4 === 1, 'hi', 'openai/gpt-5')
      : { ...chatBody(round % 4 === 1, 'hi', MODELS[0]), models: [MODELS[1]] };
    const answer = await gateway.post('/api/v1/chat/completions', body);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const record = await recorded;
    const about = `round ${round}: ${JSON.stringify({ markup, ofSecond, fee, model: record.model })}`;

    const served = isOwn ? 'openai/gpt-5' : round % 2 === 0 ? MODELS[1] : MODELS[0];
    const rate = isOwn ? partsOf(fee) : 1_000_000 + partsOf(served === MODELS[1] ? ofSecond : markup);
    assert.deepEqual([record.model, record.rate, record.ownCredential], [served, rate, isOwn], about);
    const cost = record.cost ?? assert.fail(about);
    const exact = cost * BigInt(rate);
    const charge = exact / 1_000_000n + (exact % 1_000_000n === 0n ? 0n : 1n);
    assert.deepEqual([record.charge, record.fault, record.variance], [charge, 0n, 0n], about);
    assert.ok(charge <= (record.hold ?? -1n), about);
    if (rate === 0) assert.equal(record.hold, 0n, about);
    assert.ok(text.includes(`"cost":${formatUsd(nanoUsd(charge))}`), `${about}: ${text}`);
    sums.charge += charge;
    if (isOwn) sums.own += cost;
    else sums.borne += cost;
    if (charge === 0n) free.push(generationId(record.callId));
    if (own !== null) await control('DELETE', `/byok/${own.data.id}`);
  }
  failing = [];

  assert.equal(opening - (await balance()), sums.charge);
  const time = {
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const { data: report } = await control('GET', `/usage?account=1&${new URLSearchParams(time)}`);
  assert.deepEqual([report.totals.spend, report.totals.margin], [usd(sums.charge), usd(sums.charge - sums.borne)]);
  const key = await fetch(`${gateway.url}/api/v1/key`, { headers: { authorization: `Bearer ${gateway.key}` } });
  const { data: ofKey } = (await key.json()) as { data: Record<string, unknown> };
  assert.deepEqual([ofKey['usage'], ofKey['byok_usage']], [usd(sums.charge), usd(sums.own)]);

  const { data: moved } = await control('GET', '/ledger?account=1&limit=100');
  const charged = moved.filter(({ kind }: { kind: string }) => kind === 'charge');
  assert.ok(free.length >= 2);
  assert.deepEqual(
    charged.filter(({ call }: { call: string }) => free.includes(call)),
    [],
    'what is free moves no money',
  );
  assert.equal(charged.length, ROUNDS - free.length);
  const { call } = charged[0];
  const before = await balance();
  const { data: refunded } = await control('POST', '/balance/refunds', { call, reference: 'back' });
  assert.equal(usd((await balance()) - before), refunded.amount ?? charged[0].amount * -1);
  const { data } = await control('POST', '/ledger/verify', {});
  assert.deepEqual([data.violations, data.looked_at.settlements], [[], ROUNDS]);
});
