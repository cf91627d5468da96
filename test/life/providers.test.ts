/**
 * Goal: providers are added, changed and removed while calls run, and no running call is affected. Method: the gateway in this process,
 * providers of the dashboard on loopback that a test answers frame by frame, and callers over real connections.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import type { Account } from '../../src/accounts/ports.ts';
import type { Context } from '../../src/api/management/door/handler.ts';
import { providerHandlers } from '../../src/api/management/providers/providers.ts';
import { LIST_RATES, RateBook } from '../../src/billing/rates.ts';
import { systemClock } from '../../src/core/clock.ts';
import { asGatewayError } from '../../src/core/errors.ts';
import { NOWHERE } from '../../src/providers/outside.ts';
import { headerOf } from '../support/http-reader.ts';
import { chatBody, endsProperly, errorCode, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, openaiFrames } from '../support/upstream-scripts.ts';

const CANARY = 'canary-credential-of-the-dashboard';
const CHAT = PATHS['openai-chat'];
const COUNTS_WITHIN_MS = 1_000;

let bench: OpenBench;
let second: ScriptedUpstream;
const returned: unknown[] = [];
before(async () => {
  bench = await openBench();
  second = await startScriptedUpstream(answerWell);
});
after(async () => {
  await bench.close();
  await second.close();
});

/** What a door passes to the handlers; the changes they report are kept for the canary. */
function context(): Context {
  const account = { id: 1, permissions: {}, rates: {} } as unknown as Account;
  const audit = async (change: unknown) => returned.push(change);
  return { account, role: 'owner', isOperator: true, checkStill: async () => undefined, audit } as never;
}

function handlers() {
  return providerHandlers({
    registry: bench.app.providers,
    proxyOf: () => null,
    testConnection: async () => assert.fail('nothing is tested here'),
    health: bench.app.gateway.health,
    breakers: bench.app.gateway.breakers,
    paidInAdvance: true,
    rates: new RateBook(LIST_RATES),
    stats: null,
    clock: systemClock,
    outside: NOWHERE,
  });
}

async function add(name: string, price: object = { input: '1', output: '5' }) {
  const body = {
    name,
    kind: 'custom',
    origin: second.origin,
    credential: CANARY,
    model_settings: [{ upstream: 'scripted-1', id: `${name}/model`, price }],
  };
  const answer = await handlers().createProvider(context(), { params: {}, query: {}, body } as never);
  returned.push(answer);
}

async function change(name: string, body: object) {
  returned.push(await handlers().updateProvider(context(), { params: { provider: name }, query: {}, body } as never));
}

async function remove(name: string) {
  await handlers().deleteProvider(context(), { params: { provider: name }, query: {}, body: {} } as never);
}

const call = (model: string, stream = false) => bench.post(CHAT, chatBody(stream, 'hi', model));

async function codeOf(response: Response): Promise<string | null> {
  const body: unknown = await response.json();
  returned.push(body);
  return errorCode(body);
}

/** A call whose stream is half way through; `finish` sends the rest. */
async function halfWay(upstream: ScriptedUpstream, model: string) {
  const frames = openaiFrames(['Hi', ' you']);
  const began = Promise.withResolvers<Exchange>();
  upstream.play(async (each) => {
    await each.openStream();
    for (const frame of frames.slice(0, 2)) await each.chunk(frame);
    began.resolve(each);
  });
  const response = call(model, true);
  const exchange = await began.promise;
  const answer = await response;
  upstream.play(answerWell);
  return {
    async finish() {
      const record = bench.nextRecord();
      for (const frame of frames.slice(2)) await exchange.chunk(frame);
      await exchange.lastChunk();
      return { text: await answer.text(), record: await record };
    },
  };
}

test('a provider that is added while a stream runs on another serves at once, and the stream is unharmed', async () => {
  const running = await halfWay(bench.upstream, 'scripted/model');
  assert.equal(await codeOf(await call('added/model')), 'model_not_found');

  const startedAt = performance.now();
  await add('added');
  const answer = await call('added/model');
  assert.ok(performance.now() - startedAt < COUNTS_WITHIN_MS);
  assert.equal(answer.status, 200);
  await answer.text();
  const sent = second.exchanges.at(-1) as Exchange;
  assert.equal(headerOf(sent.request, 'authorization'), `Bearer ${CANARY}`);

  const listed = (await (
    await fetch(`${bench.url}/v1/models`, { headers: { authorization: `Bearer ${bench.key}` } })
  ).json()) as { data: { id: string }[] };
  assert.ok(
    listed.data.some(({ id }) => id === 'added/model'),
    'the lists follow',
  );

  const { text, record } = await running.finish();
  assert.ok(endsProperly(text));
  assert.equal(record.ending, 'complete');
});

test('a removed provider’s stream ends properly, and no further call uses it', async () => {
  await add('leaving');
  const running = await halfWay(second, 'leaving/model');
  await remove('leaving');
  assert.equal(await codeOf(await call('leaving/model')), 'model_not_found');
  const { text, record } = await running.finish();
  assert.ok(endsProperly(text));
  assert.equal(record.ending, 'complete');
  assert.equal(record.provider, 'leaving');
  assert.notEqual(record.cost, null);
});

test('a disabled provider is not called, until it is enabled again', async () => {
  await add('paused');
  await change('paused', { is_enabled: false });
  assert.equal(await codeOf(await call('paused/model')), 'model_not_found');
  assert.equal(bench.app.providers.find('paused').isEnabled, false);
  await change('paused', { is_enabled: true });
  const answer = await call('paused/model');
  assert.equal(answer.status, 200);
  await answer.text();
});

test('a new price applies to the next call; a running call keeps the version it began with', async () => {
  await add('priced', { input: '1', output: '5' });
  const running = await halfWay(second, 'priced/model');
  await change('priced', {
    model_settings: [{ upstream: 'scripted-1', id: 'priced/model', price: { input: '2.5', output: '10.000001' } }],
  });
  const record = bench.nextRecord();
  const next = await call('priced/model');
  await next.text();
  const after = await record;
  const { record: before } = await running.finish();
  assert.equal(before.ending, 'complete');
  assert.notEqual(before.priceVersion, after.priceVersion);
  const [model] = bench.app.gateway.catalog.get('priced/model')?.targets ?? [];
  assert.equal(after.priceVersion, model?.priceVersion);
  assert.equal(model?.prices?.output, 10_000_001n);
});

test('connections to a removed provider are closed when they are idle', async () => {
  const lonely = await startScriptedUpstream(answerWell);
  await handlers().createProvider(context(), {
    params: {},
    query: {},
    body: { name: 'lonely', kind: 'custom', origin: lonely.origin, model_settings: [{ upstream: 'm', price: 'free' }] },
  } as never);
  await (await call('lonely/m')).text();
  const { closed } = lonely.exchanges.at(-1) as Exchange;
  assert.ok(bench.app.gateway.upstream.connections().has(lonely.origin));
  await remove('lonely');
  await closed;
  assert.equal(bench.app.gateway.upstream.connections().has(lonely.origin), false);
  await lonely.close();
});

test('a provider of the configuration is not changed, and says where it comes from', async () => {
  for (const attempt of [
    () => change('scripted', { is_enabled: false }),
    () => remove('scripted'),
    () => add('scripted'),
  ]) {
    await assert.rejects(attempt, (error) => {
      const { code, message } = asGatewayError(error);
      assert.match(message, /is defined by the configuration file/);
      return code === 'conflict';
    });
  }
});

test('two concurrent changes are made one after the other, and both apply', async () => {
  await Promise.all([add('left'), add('right'), add('middle').then(() => remove('middle'))]);
  const names = bench.app.providers.list().map(({ name }) => name);
  assert.ok(names.includes('left') && names.includes('right') && !names.includes('middle'));
  assert.deepEqual(
    [...bench.app.gateway.providers.keys()].filter((name) => ['left', 'right', 'middle'].includes(name)),
    ['left', 'right'],
  );
});

test('the credential is in no answer, log line, audit entry or file', async () => {
  second.play((exchange) => exchange.whole(401, JSON.stringify({ error: { message: `bad key ${CANARY}` } })));
  assert.equal(await codeOf(await call('left/model')), 'upstream_credential_rejected');
  second.play(answerWell);
  await assert.rejects(change('left', { credential: `${CANARY} with blanks` }), (error: Error) => {
    returned.push(error.message, inspect(error, { depth: 9 }));
    return true;
  });
  returned.push(bench.app.providers.list(), inspect(bench.app.providers, { depth: 9, showHidden: true }), bench.log);
  assert.ok(
    !JSON.stringify(returned, (_, value) => (typeof value === 'bigint' ? String(value) : value)).includes(CANARY),
  );
  for (const file of readdirSync(bench.dataFolder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(CANARY), file.name);
  }
  assert.equal(bench.app.providers.find('left').credentialHint, CANARY.slice(-4));
});
