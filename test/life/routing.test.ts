/**
 * Goal: a call goes where its caller states, to the next candidate when one fails, across models, and pays for what served it. Method: the
 * whole gateway over loopback, three providers of one model and one of another, with different prices and formats.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { nanoUsd } from '../../src/core/money.ts';
import { type MadeUpRequest, planForKey } from '../../src/gateway/planned/plan-for-key.ts';
import type { CallRecord } from '../../src/stats/record.ts';
import { verifyClean } from '../prove/support/verify-clean.ts';
import { errorCode, type OpenGateway, openGateway, scriptedProvider } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, openaiBody, refuse } from '../support/upstream-scripts.ts';

const CHAT = '/api/v1/chat/completions';
const overloaded = refuse(529, { error: { type: 'overloaded_error', message: 'busy' } });
const failing = refuse(500, { error: { message: 'no' } });

type Name = 'east' | 'west' | 'south' | 'other';

let upstreams: Readonly<Record<Name, ScriptedUpstream>>;
let gateway: OpenGateway;
/** The record of the next call: a request that is refused has none. */
let next: Promise<CallRecord> | null = null;

before(async () => {
  const [east, west, south, other] = await Promise.all(
    Array.from({ length: 4 }, () => startScriptedUpstream(answerWell)),
  );
  assert.ok(east && west && south && other);
  upstreams = { east, west, south, other };
});
/** A new one for each test: what failed in one would rest in the next. */
beforeEach(async () => {
  for (const upstream of Object.values(upstreams)) upstream.play(answerWell);
  next = null;
  const provider = (name: Name, id: string, price: number, dialects: readonly string[], stated: object = {}) => ({
    ...scriptedProvider(name, upstreams[name].origin),
    dialects,
    ...stated,
    models: [
      {
        id,
        upstream: `up-${name}`,
        prices: { input: price, output: price },
        outputCap: 1000,
        parameters: ['max_tokens'],
      },
    ],
  });
  gateway = await openGateway({
    billing: { firstRunCredit: '5' },
    providers: [
      // The last one configured comes first in the catalogue.
      provider('other', 'lab/small', 1, ['anthropic-messages']),
      provider('south', 'lab/big', 2, ['anthropic-messages'], { quantization: 'mxfp8' }),
      provider('west', 'lab/big', 3, ['openai-chat'], { zeroDataRetention: true }),
      provider('east', 'lab/big', 5, ['openai-chat']),
    ].reverse(),
  });
});
afterEach(() => gateway.close());
after(async () => {
  for (const upstream of Object.values(upstreams)) await upstream.close();
});

/** Asks for at most ten tokens. */
async function ask(fields: object = {}, path = CHAT) {
  const body = { model: 'lab/big', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...fields };
  next ??= gateway.nextRecord();
  const response = await gateway.post(path, body);
  const parsed: unknown = await response.json();
  const status = response.status;
  const record = status < 500 && status !== 200 ? null : await next;
  if (record !== null) next = null;
  return {
    status,
    code: errorCode(parsed),
    message: JSON.stringify(parsed),
    tries: response.headers.get('x-turnpike-attempts'),
    record,
    tried: record?.attempts.map(({ provider, reason }) => `${provider} ${reason}`),
  };
}

test('a plain call goes to the first target of its format', async () => {
  const { status, tries, tried, record } = await ask();
  assert.deepEqual([status, tries, tried, record?.provider], [200, '1', ['east first'], 'east']);
});

describe('when a provider fails', () => {
  test('the next of its format serves, then one of another', async () => {
    upstreams.east.play(overloaded);
    const one = await ask();
    assert.deepEqual([one.status, one.tries, one.tried], [200, '2', ['east first', 'west fallback']]);
    upstreams.west.play(failing);
    const two = await ask();
    assert.deepEqual([two.status, two.tries], [200, '3']);
    assert.deepEqual(two.tried, ['east first', 'west fallback', 'south fallback']);
    assert.equal(two.record?.upstreamDialect, 'anthropic-messages');
  });

  test('each attempt is on the record from its start, one after the other', async () => {
    upstreams.east.play(overloaded);
    const { record } = await ask();
    const [first, second] = record?.attempts ?? [];
    assert.ok(first !== undefined && second !== undefined);
    assert.ok((first.startMs ?? -1) >= 0);
    assert.ok((second.startMs ?? 0) >= (first.startMs ?? 0) + first.durationMs - 0.01);
    assert.deepEqual([first.status, first.error, second.status, second.error], [529, 'upstream_overloaded', 200, null]);
  });

  test('another model serves if the caller names one, and its price counts', async () => {
    for (const name of ['east', 'west', 'south'] as const) upstreams[name].play(failing);
    const alone = await ask();
    assert.deepEqual([alone.status, alone.code, alone.tries], [502, 'bad_gateway', '3']);
    const { status, record, tried } = await ask({ models: ['lab/small'], provider: { only: ['east', 'other'] } });
    assert.deepEqual([status, tried], [200, ['east first', 'other fallback']]);
    assert.equal(record?.model, 'lab/small');
    assert.equal(record?.charge, record?.cost);
    assert.equal(record?.cost, BigInt((record?.usage.inputTokens ?? 0) + (record?.usage.outputTokens ?? 0)) * 1000n);
  });

  test('what it is known to have cost is the operator’s, and the caller pays for what served', async () => {
    const leak = { ...JSON.parse(openaiBody('hi')), note: 'canary-credential-of-east' };
    upstreams.east.play((exchange) => exchange.whole(200, JSON.stringify(leak)));
    const { status, record, tried } = await ask();
    assert.deepEqual([status, tried], [200, ['east first', 'west fallback']]);
    assert.ok(record !== null);
    const { prompt_tokens: input, completion_tokens: output } = leak.usage;
    assert.equal(record.fault, BigInt(input + output) * 5000n);
    assert.equal(record.charge, record.cost);
    assert.equal(record.provider, 'west');
    await verifyClean(gateway.dataFolder);
  });

  test('no other is tried if the caller forbids it', async () => {
    upstreams.east.play(overloaded);
    const { status, tries } = await ask({ provider: { allow_fallbacks: false } });
    assert.deepEqual([status, tries], [503, '1']);
  });
});

describe('what the caller states', () => {
  for (const [fields, provider] of [
    [{ provider: { order: ['west'] } }, 'west'],
    [{ provider: { order: ['nobody', 'SOUTH'] } }, 'south'],
    [{ provider: { only: ['south', 'west'] } }, 'west'],
    [{ provider: { ignore: ['east'] } }, 'west'],
    [{ provider: { sort: 'price' } }, 'south'],
    [{ model: 'big:floor' }, 'south'],
    [{ model: 'lab/big:floor[1m]' }, 'south'],
    [{ provider: { max_price: { prompt: 2.5 } } }, 'south'],
    [{ provider: { require_parameters: true } }, 'east'],
    [{ models: ['lab/small'] }, 'east'],
    [{ model: undefined, models: ['lab/small', 'lab/big'] }, 'other'],
    [{ model: null, models: ['lab/big'], provider: { only: ['west'] } }, 'west'],
    [{ provider: { data_collection: 'deny' } }, 'west'],
    [{ provider: { zdr: true } }, 'west'],
    [{ provider: { quantizations: ['fp8'] } }, 'south'],
    [{ models: ['lab/small'], provider: { sort: { by: 'price', partition: 'none' } } }, 'other'],
  ] as const)
    test(`${JSON.stringify(fields)} is served by ${provider}`, async () => {
      const { status, record } = await ask(fields);
      assert.deepEqual([status, record?.provider], [200, provider]);
    });

  for (const [fields, param] of [
    [{ provider: { only: ['nobody'] } }, 'provider.only'],
    [{ provider: { ignore: ['east', 'west', 'south'] } }, 'provider.ignore'],
    [{ provider: { max_price: { completion: '0.5' } } }, 'provider.max_price'],
    [{ temperature: 0.5, provider: { require_parameters: true } }, 'provider.require_parameters'],
    [{ provider: { zdr: true, ignore: ['west'] } }, 'provider.zdr'],
    [{ provider: { data_collection: 'deny', only: ['east'] } }, 'provider.data_collection'],
    [{ provider: { quantizations: ['int4'] } }, 'provider.quantizations'],
    [{ model: undefined }, 'model'],
    [{ model: undefined, models: [] }, 'model'],
    [{ model: undefined, models: 'lab/big' }, 'models'],
  ] as const)
    test(`${JSON.stringify(fields)} is refused by name, and nothing is asked`, async () => {
      const asked = Object.values(upstreams).map(({ exchanges }) => exchanges.length);
      const { status, message } = await ask(fields);
      assert.equal(status, 400);
      assert.ok(message.includes(`"param":"${param}"`), message);
      assert.deepEqual(
        Object.values(upstreams).map(({ exchanges }) => exchanges.length),
        asked,
      );
    });

  for (const [path, fields] of [
    ['/v1/messages', { provider: { order: ['west'] }, models: ['lab/small'] }],
    ['/api/v1/responses', { input: 'hi', messages: undefined, max_tokens: undefined, provider: { order: ['west'] } }],
  ] as const)
    test(`callers of ${path} state it too, and the provider gets none of it`, async () => {
      const before = upstreams.west.exchanges.length;
      const { status, record, message } = await ask(fields, path);
      assert.deepEqual([status, record?.provider], [200, 'west'], message);
      const sent = String(upstreams.west.exchanges[before]?.request.body);
      assert.doesNotMatch(sent, /"provider"|"models"/);
    });

  for (const [path, only, more] of [
    [CHAT, 'west', {}],
    [CHAT, 'south', {}],
    ['/v1/messages', 'south', {}],
    ['/v1/messages', 'west', {}],
    ['/api/v1/responses', 'west', { input: 'hi', messages: undefined, max_tokens: undefined }],
  ] as const)
    test(`models alone is enough at ${path}, and ${only} gets its own name of the first`, async () => {
      const before = upstreams[only].exchanges.length;
      const fields = { model: undefined, models: ['lab/big', 'lab/small'], provider: { only: [only] }, ...more };
      const { status, message, record } = await ask(fields, path);
      assert.deepEqual([status, record?.model, record?.asked], [200, 'lab/big', null], message);
      assert.equal((JSON.parse(message) as { model: string }).model, 'lab/big');
      const sent = JSON.parse(String(upstreams[only].exchanges[before]?.request.body));
      assert.deepEqual([sent.model, 'models' in sent, 'provider' in sent], [`up-${only}`, false, false]);
    });
});

function asked(): readonly number[] {
  return Object.values(upstreams).map(({ exchanges }) => exchanges.length);
}

describe('the plan of a request', () => {
  async function plan(fields: object = {}, path = '/api/v1/route') {
    const body = { model: 'lab/big', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...fields };
    const response = await gateway.post(path, body);
    const parsed = await response.json();
    return { status: response.status, parsed, data: (parsed as { data: Plan }).data };
  }

  test('is what the call then does, with its bound, and calls, holds and records nothing', async () => {
    const before = gateway.records.length;
    const sent = asked();
    const { status, data } = await plan();
    assert.equal(status, 200);
    assert.deepEqual(
      data.candidates.map(({ provider, translated }) => [provider, translated]),
      [
        ['east', false],
        ['west', false],
        ['south', true],
      ],
    );
    assert.deepEqual(data.left_out, []);
    assert.deepEqual(asked(), sent);
    assert.equal(gateway.records.length, before);
    const { record } = await ask();
    assert.equal(record?.provider, data.candidates[0]?.provider);
    assert.equal(Number(record?.hold) / 1e9, data.max_cost);
    assert.deepEqual(data.max_cost, data.candidates[0]?.max_cost);
  });

  test('says what is left out, and why', async () => {
    const { data } = await plan({ models: ['lab/small'], provider: { ignore: ['west'], max_price: { prompt: 4 } } });
    assert.deepEqual(
      data.candidates.map(({ provider, model }) => [provider, model]),
      [
        ['south', 'lab/big'],
        ['other', 'lab/small'],
      ],
    );
    assert.deepEqual(
      data.left_out.map(({ provider, reason }) => [provider, reason]),
      [
        ['west', 'ignored'],
        ['east', 'above_max_price'],
      ],
    );
  });

  test('leaves out what the balance does not cover, and what cannot be said', async () => {
    const { data } = await plan({ max_tokens: 1_500_000, n: 2 });
    assert.deepEqual(data.candidates, []);
    assert.deepEqual(
      data.left_out.map(({ provider, reason }) => [provider, reason]),
      [
        ['east', 'unaffordable'],
        ['west', 'unaffordable'],
        ['south', 'cannot_express'],
      ],
    );
  });

  test('shows who rests', async () => {
    upstreams.east.play(refuse(429, { error: { message: 'slow down' } }, { 'retry-after': '30' }));
    await ask();
    const { data } = await plan();
    const [first, , last] = data.candidates;
    assert.deepEqual([first?.provider, last?.provider, last?.later_because], ['west', 'east', ['credential_resting']]);
  });

  test('is refused as the call would be, and needs a key', async () => {
    assert.equal((await plan({ model: 'lab/unknown' })).status, 404);
    assert.equal((await plan({ provider: { zdr: true, only: ['east'] } })).status, 400);
    assert.equal((await plan({ messages: [] })).status, 400);
    const response = await fetch(`${gateway.url}/api/v1/route`, { method: 'POST', body: '{}' });
    assert.equal(response.status, 401);
  });

  for (const [path, fields] of [
    ['/v1/messages/route', {}],
    ['/api/v1/responses/route', { input: 'hi', messages: undefined, max_tokens: undefined, max_output_tokens: 10 }],
  ] as const)
    test(`is made at ${path} too`, async () => {
      const { status, data, parsed } = await plan(fields, path);
      assert.equal(status, 200, JSON.stringify(parsed));
      assert.equal(data.candidates.length, 3);
    });
});

interface Plan {
  readonly max_cost: number;
  readonly candidates: readonly {
    readonly model: string;
    readonly provider: string;
    readonly translated: boolean;
    readonly max_cost: number;
    readonly later_because: readonly string[];
  }[];
  readonly left_out: readonly { readonly provider: string; readonly reason: string }[];
}

describe('the plan for a key, without its secret', () => {
  const MADE_UP: MadeUpRequest = {
    format: 'openai-chat',
    model: 'lab/big',
    models: [],
    provider: null,
    conversation: null,
    promptCharacters: 2,
    outputCap: 10,
  };
  const keyOf = () => gateway.app.gateway.keys.find(gateway.key) ?? assert.fail('the gateway has a key');
  const planned = (asked: Partial<MadeUpRequest> = {}) =>
    planForKey(gateway.app.gateway, keyOf(), { ...MADE_UP, ...asked });
  const written = (plan: object) => JSON.parse(JSON.stringify(plan)) as object;

  for (const [what, asked, fields] of [
    ['nothing else', {}, {}],
    ['fallbacks', { models: ['lab/small'] }, { models: ['lab/small'] }],
    ['providers', { provider: { ignore: ['west'], sort: 'price' } }, { provider: { ignore: ['west'], sort: 'price' } }],
    ['too much', { outputCap: 1_500_000 }, { max_tokens: 1_500_000 }],
    ['another format', { format: 'anthropic-messages' }, { path: '/v1/messages/route' }],
  ] as const)
    test(`is the one that the key itself gets, stating ${what}`, async () => {
      const { path = '/api/v1/route', ...body } = { path: undefined, ...fields };
      const sent = { model: 'lab/big', max_tokens: 10, messages: [{ role: 'user', content: 'xx' }], ...body };
      const answer = (await (await gateway.post(path, sent)).json()) as { readonly data: object };
      assert.deepEqual(written(await planned(asked)), { refusal: null, ...answer.data });
    });

  test('is longer by its prompt, and goes on where the conversation was served', async () => {
    const [short, long] = [await planned(), await planned({ promptCharacters: 100_000 })];
    const most = ({ max_cost }: { readonly max_cost: unknown }) => Number(JSON.stringify(max_cost));
    // The most expensive takes five dollars per million tokens, and a character is at most one.
    assert.equal(Math.round((most(long) - most(short)) * 1e6), 499_990);
    await gateway.post(CHAT, {
      model: 'lab/big',
      max_tokens: 10,
      session_id: 'talk',
      provider: { order: ['west'] },
      messages: [{ role: 'user', content: 'hi' }],
    });
    const { candidates } = await planned({ conversation: 'talk' });
    assert.deepEqual(
      candidates.map(({ provider, later_because }) => [provider, later_because]),
      [
        ['west', []],
        ['east', ['kept_elsewhere']],
        ['south', ['other_format']],
      ],
    );
  });

  test('says who rests, even if nobody else is left', async () => {
    upstreams.east.play(refuse(429, { error: { message: 'slow down' } }, { 'retry-after': '30' }));
    await ask();
    const { candidates } = await planned({ provider: { only: ['east'] } });
    assert.deepEqual(
      candidates.map(({ provider, resting, later_because }) => [provider, resting, later_because]),
      [['east', true, []]],
    );
  });

  test('says why a request would be refused, and why each candidate is left out', async () => {
    const { refusal, candidates, left_out } = await planned({ provider: { only: ['nobody'] } });
    assert.deepEqual([refusal?.status, candidates.length], [400, 0]);
    assert.deepEqual(new Set(left_out.map(({ reason }) => reason)), new Set(['not_in_only']));
    assert.equal((await planned({ model: 'lab/unknown' })).refusal?.code, 'model_not_found');
    assert.equal((await planned({ format: 'anthropic-messages', outputCap: null })).refusal?.code, 'missing_field');
    const { keys } = gateway.app.gateway;
    const key = keyOf();
    const put = (seq: number, change: object) =>
      keys.put({ ...key, digest: key.digest, updatedAt: key.updatedAt, seq: key.seq + seq, ...change });
    put(1, { permissions: { operations: ['embeddings'], ips: ['192.0.2.1'] } });
    assert.equal((await planForKey(gateway.app.gateway, key, MADE_UP)).refusal?.code, 'permission_denied');
    put(2, { permissions: { ips: ['192.0.2.1'] } });
    assert.equal((await planForKey(gateway.app.gateway, key, MADE_UP)).refusal, null);
    put(3, { disabled: true });
    assert.equal((await planForKey(gateway.app.gateway, key, MADE_UP)).refusal?.code, 'invalid_api_key');
  });

  test('asks no provider, and holds, counts and keeps nothing', async () => {
    const { bank, memory, running } = gateway.app.gateway;
    const { accountId } = keyOf();
    const money = async () => bank.money.of([{ scope: 'account', id: accountId }]);
    const before = [
      await money(),
      gateway.records.length,
      Object.values(upstreams).map(({ exchanges }) => exchanges.length),
    ];
    await planned({ promptCharacters: 1_000_000, format: 'anthropic-messages' });
    assert.deepEqual(
      [await money(), gateway.records.length, Object.values(upstreams).map(({ exchanges }) => exchanges.length)],
      before,
    );
    assert.deepEqual([memory.used, running.count], [0, 0]);
  });
});

describe('a candidate that the balance does not cover', () => {
  test('is left out, which the record says; only if none is left the call is refused', async () => {
    const { keys } = gateway.app.gateway;
    const key = keys.find(gateway.key);
    assert.ok(key);
    const budget = (nano: bigint) =>
      keys.put({
        ...key,
        digest: key.digest,
        updatedAt: key.updatedAt,
        seq: key.seq + 1_000 + Number(nano),
        limits: { budgets: { total: nanoUsd(nano) } },
      });
    try {
      const spent = gateway.records.reduce((sum, { charge }) => sum + charge, 0n);
      // A thousand tokens cost 5,000,000 at east, 3,000,000 at west, and the prompt a little.
      budget(spent + 4_000_000n);
      const { status, tried, record, message } = await ask({ max_tokens: 1000 });
      assert.deepEqual([status, record?.provider], [200, 'west'], message);
      assert.deepEqual(tried, ['east unaffordable', 'west first']);
      assert.equal(record?.attempts[0]?.error, 'insufficient_balance');
      assert.ok((record?.hold ?? 0n) < 4_000_000n);
      const none = await ask({ max_tokens: 100_000, provider: { only: ['east', 'west'] } });
      assert.deepEqual([none.status, none.code], [402, 'budget_exceeded']);
    } finally {
      keys.put({ ...key, digest: key.digest, updatedAt: key.updatedAt, seq: key.seq + 9_000_000_000 });
    }
  });
});
