/**
 * Goal: expensive work comes after the checks that do not need it, and what was not admitted leaves no trace in limits or money.
 * Method: requests whose refusals show how far they came; two targets that speak another format than the caller.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { control } from '../support/control.ts';
import { errorCode, OPEN_MODEL, type OpenGateway, openGateway, scriptedProvider } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const CHAT = '/api/v1/chat/completions';
const COUNT = '/v1/messages/count_tokens';
/** Understood, and refused only by the translation: a provider of the other format returns one answer at a time. */
const untranslatable = { model: OPEN_MODEL, n: 2, messages: [{ role: 'user', content: 'hi' }] };
const good = { model: OPEN_MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };

let upstreams: readonly ScriptedUpstream[];
let gateway: OpenGateway;

async function open(credit: string, more: object = {}, dialects = ['anthropic-messages']): Promise<void> {
  upstreams = await Promise.all([1, 2].map(() => startScriptedUpstream(answerWell)));
  gateway = await openGateway({
    billing: { firstRunCredit: credit },
    providers: upstreams.map(({ origin }, index) => ({
      ...scriptedProvider(`target-${index + 1}`, origin),
      dialects,
      ...(index === 1 ? more : {}),
    })),
  });
}

afterEach(async () => {
  await gateway.close();
  for (const upstream of upstreams) await upstream.close();
});

async function limit(limits: object): Promise<void> {
  const { keys } = gateway.app.gateway;
  const key = keys.find(gateway.key);
  assert.ok(key);
  keys.put({ ...key, digest: key.digest, updatedAt: key.updatedAt, seq: key.seq + 1, limits });
}

async function ask(body: object, path = CHAT): Promise<{ status: number; code: string | null; headers: Headers }> {
  const response = await gateway.post(path, body);
  return { status: response.status, code: errorCode(await response.json()), headers: response.headers };
}

describe('an account without money', () => {
  beforeEach(() => open('0'));

  test('is refused before its request is translated', async () => {
    assert.deepEqual((await ask(untranslatable)).code, 'insufficient_balance');
  });

  test('is refused a count of tokens that could serve no call', async () => {
    assert.equal((await ask(good, COUNT)).code, 'insufficient_balance');
    assert.equal(upstreams[0]?.exchanges.length, 0);
  });
});

describe('an account with money', () => {
  beforeEach(() => open('5'));

  test('is told what cannot be translated', async () => {
    const { status, code } = await ask(untranslatable);
    assert.deepEqual([status, code], [400, 'unsupported_value']);
  });

  test('gets its limit back after a request that could not be translated', async () => {
    await limit({ requestsPerMinute: 1 });
    assert.equal((await ask(untranslatable)).status, 400);
    assert.equal((await ask(good)).status, 200);
    assert.equal((await ask(good)).code, 'rate_limit_exceeded');
  });

  test('gets its limit back after a request that it could not pay for', async () => {
    await limit({ requestsPerMinute: 1, concurrentCalls: 1, budgets: { total: 10_000_000n } });
    assert.equal((await ask({ ...good, max_tokens: 100_000 })).code, 'budget_exceeded');
    assert.equal((await ask(good)).status, 200);
  });

  test('is not refused beforehand for bytes that a translation leaves out', async () => {
    await limit({ budgets: { total: 10_000_000n } });
    const spaces = ' '.repeat(20_000);
    const response = await fetch(gateway.url + CHAT, {
      method: 'POST',
      body: JSON.stringify(good).replace('{', `{${spaces}`),
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    });
    assert.equal(response.status, 200, await response.text());
  });

  test('pays nothing for a target that failed when its key loses access before the next one', async () => {
    upstreams[0]?.play(async (exchange) => {
      await limit({});
      const { keys } = gateway.app.gateway;
      const key = keys.find(gateway.key);
      assert.ok(key);
      keys.put({ ...key, digest: key.digest, updatedAt: key.updatedAt, seq: key.seq + 1, disabled: true });
      await exchange.whole(503, '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}');
    });
    const ended = gateway.nextRecord();
    assert.equal((await ask(good)).status, 401);
    const { charge, cost, ending } = await ended;
    assert.deepEqual([ending, charge, cost], ['key_cut', 0n, 0n]);
    assert.equal(upstreams[1]?.exchanges.length, 0);
  });

  test('counts a replayed answer as a request', async () => {
    await limit({ requestsPerMinute: 2 });
    const again = () => gateway.post(CHAT, good, { 'idempotency-key': 'once' });
    for (const replayed of [null, 'true']) {
      const response = await again();
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('idempotent-replayed'), replayed);
      await response.text();
    }
    assert.equal((await again()).status, 429);
  });

  test('is limited before its request is translated', async () => {
    await limit({ requestsPerMinute: 1 });
    assert.equal((await ask(good)).status, 200);
    assert.equal((await ask(untranslatable)).code, 'rate_limit_exceeded');
  });

  test('counts tokens within its requests a minute', async () => {
    await limit({ requestsPerMinute: 2 });
    assert.equal((await ask(good, COUNT)).status, 200);
    assert.equal((await ask(good)).status, 200);
    const refused = await ask(good, COUNT);
    assert.deepEqual([refused.status, refused.code], [429, 'rate_limit_exceeded']);
    assert.ok(refused.headers.get('retry-after'));
  });

  test('counts tokens within its limit of concurrent calls', async () => {
    await limit({ concurrentCalls: 1 });
    for (let round = 0; round < 3; round += 1) assert.equal((await ask(good, COUNT)).status, 200);
  });

  test('with an empty budget counts no tokens', async () => {
    await limit({ budgets: { total: 0n } });
    assert.equal((await ask(good, COUNT)).code, 'budget_exceeded');
    assert.equal(upstreams[0]?.exchanges.length, 0);
  });
});

describe('a later target', () => {
  const failing = refuse(500, { type: 'error', error: { type: 'api_error', message: 'oops' } });
  const dear = { models: [{ id: OPEN_MODEL, upstream: 'dear', prices: { input: 1, output: 40_000 } }] };

  test('that costs more than what is held has the hold raised', async () => {
    await open('5', dear);
    upstreams[0]?.play(failing);
    const ended = gateway.nextRecord();
    assert.equal((await ask(good)).status, 200);
    const record = await ended;
    assert.equal(record.provider, 'target-2');
    assert.ok(record.hold !== null && record.hold >= 4_000_000_000n, String(record.hold));
    assert.ok(record.cost !== null && record.charge === record.cost, 'no part of the cost is above the hold');
    await noneHeld();
  });

  test('that the balance cannot cover is left out, and the record says so', async () => {
    await open('3', dear);
    upstreams[0]?.play(failing);
    const ended = gateway.nextRecord();
    const { status, code } = await ask(good);
    assert.deepEqual([status, code], [502, 'bad_gateway']);
    const { attempts, charge } = await ended;
    assert.deepEqual(
      attempts.map(({ provider, error }) => [provider, error]),
      [
        ['target-1', 'bad_gateway'],
        ['target-2', 'insufficient_balance'],
      ],
    );
    assert.equal(charge, 0n);
    assert.equal(upstreams[1]?.exchanges.length, 0);
    await noneHeld();
  });

  async function noneHeld(): Promise<void> {
    const { body } = await control(gateway.dataFolder, 'GET', '/control/api/balance');
    assert.match(JSON.stringify(body), /"held":"?0/);
  }
});
