/**
 * Goal: a failing provider is reported as failing, judged by what it did and not by what a caller did; each change is logged once.
 * Method: the gateway in this process on a clock that a test moves, with a provider that answers what a case wants.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { Account } from '../../src/accounts/ports.ts';
import { type HealthServices, healthHandlers } from '../../src/api/management/providers/health.ts';
import { ManualClock } from '../../src/core/clock.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { WINDOW_MS } from '../../src/telemetry/outcome-window.ts';
import { type GoodAnswer, goodAnswers } from '../faults/fault.ts';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  OPEN_MODEL,
  type OpenBench,
  openBench,
  PATHS,
  rawCall,
} from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { answerWell, htmlInstead, refuse, resetAtOnce, silent, streamThen } from '../support/upstream-scripts.ts';

const clock = new ManualClock();
let bench: OpenBench;
before(async () => {
  bench = await openBench({}, { clock });
});
after(() => bench.close());

function provider({ app }: OpenBench): Provider {
  return app.gateway.providers.get('scripted') ?? assert.fail('it is configured');
}

/** Of the provider as a whole and of its model: how many were good, failed, met a limit. */
function counted(of: OpenBench = bench): readonly (readonly number[])[] {
  const { health } = of.app.gateway;
  return [health.of(provider(of)), health.ofModel(provider(of), OPEN_MODEL)].map((figures) =>
    figures === null ? [0, 0, 0] : [figures.recent.good, figures.recent.failed, figures.recent.limited],
  );
}

/** What one call adds to the counts. */
async function addedBy(call: () => Promise<unknown>): Promise<readonly (readonly number[])[]> {
  clock.advance(2 * WINDOW_MS);
  assert.deepEqual(counted(), [NONE, NONE]);
  const ended = bench.nextRecord();
  await call();
  await ended;
  return counted();
}

const NONE = [0, 0, 0];
const GOOD = [1, 0, 0];
const FAILED = [0, 1, 0];
const LIMITED = [0, 0, 1];

interface Case {
  readonly what: string;
  readonly script: (good: GoodAnswer) => Script;
  readonly counts: readonly number[];
  /** As the whole of `counts` when absent. */
  readonly ofProvider?: readonly number[];
  readonly on?: 'streamed' | 'whole';
}

const refusal =
  (status: number, type: string, message = 'no') =>
  (good: GoodAnswer): Script =>
  (exchange) =>
    exchange.whole(status, good.errorBody(type, message), { 'content-type': 'application/json' });

/** An error as servers report it inside an answer that began with 200. */
function errorAbout({ dialect }: GoodAnswer, code: number): string {
  const moderated = code === 403 ? { metadata: { reasons: ['violence'], flagged_input: 'x' } } : {};
  const error = { message: 'no', type: TYPES[code], ...(dialect === 'openai-chat' ? { code, ...moderated } : {}) };
  return JSON.stringify(dialect === 'openai-chat' ? { error } : { type: 'error', error });
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  403: 'invalid_request_error',
  404: 'invalid_request_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

function requestError(good: GoodAnswer, code: number): string {
  const event = good.dialect === 'openai-chat' ? '' : 'event: error\n';
  return `${event}data: ${errorAbout(good, code)}\n\n`;
}

const CASES: readonly Case[] = [
  { what: 'a good answer', script: () => answerWell, counts: GOOD },
  { what: 'a 401', script: refusal(401, 'authentication_error'), counts: FAILED },
  { what: 'a 402', script: refusal(402, 'billing_error'), counts: FAILED },
  { what: 'a 403', script: refusal(403, 'permission_error'), counts: FAILED },
  { what: 'a 400 about the credential', script: refusal(400, 'authentication_error'), counts: FAILED },
  {
    what: 'a 400 that quotes a caller about a credential',
    script: refusal(400, 'invalid_request_error', "Invalid value: 'API key not valid. Incorrect API key provided'"),
    counts: NONE,
  },
  {
    what: 'a 400 that quotes a caller about money',
    script: refusal(
      400,
      'invalid_request_error',
      "Invalid name: 'Your credit balance is too low, see Plans & Billing'",
    ),
    counts: NONE,
  },
  {
    what: 'a 400 that quotes a caller about a model',
    script: refusal(400, 'invalid_request_error', 'Invalid model in the tool: model does not exist'),
    counts: NONE,
  },
  {
    what: 'a 429 that quotes a caller about money',
    script: refusal(429, 'rate_limit_error', 'Too many of: purchase credits'),
    counts: LIMITED,
  },
  { what: 'a 429', script: refusal(429, 'rate_limit_error'), counts: LIMITED },
  { what: 'a 500', script: refusal(500, 'api_error'), counts: FAILED },
  { what: 'a 503', script: refusal(503, 'overloaded_error'), counts: FAILED },
  { what: 'a 529', script: refusal(529, 'overloaded_error'), counts: FAILED },
  { what: 'a redirect', script: () => refuse(302, {}, { location: 'http://127.0.0.1:9/' }), counts: FAILED },
  { what: 'a page', script: () => htmlInstead, counts: FAILED },
  { what: 'connections that are reset', script: () => resetAtOnce, counts: FAILED },
  { what: 'a page at a wrong address', script: () => (exchange) => exchange.whole(404, '<h1>No</h1>'), counts: FAILED },
  {
    what: 'a stream that breaks off',
    on: 'streamed',
    script: ({ frames }) => streamThen(frames.slice(0, 4), (exchange) => exchange.reset()),
    counts: FAILED,
  },
  {
    what: 'an error within a stream',
    on: 'streamed',
    script: ({ frames, errorFrame }) =>
      streamThen([...frames.slice(0, 4), errorFrame('out of order')], (exchange) => exchange.finish()),
    counts: FAILED,
  },
  {
    what: 'a model that is not there',
    script: refusal(404, 'not_found_error', 'The model scripted-1 does not exist'),
    counts: FAILED,
    ofProvider: NONE,
  },
  {
    what: 'a picture that the model could not fetch',
    script: refusal(404, 'not_found_error', 'The model could not fetch https://x.test/y.png: image not found'),
    counts: NONE,
  },
  ...[400, 403, 404, 413].map((code) => ({
    what: `an error within a stream about the request, ${code}`,
    on: 'streamed' as const,
    script: (good: GoodAnswer) =>
      streamThen([...good.frames.slice(0, 4), requestError(good, code)], (exchange) => exchange.finish()),
    counts: NONE,
  })),
  {
    what: 'an error within a stream about a limit',
    on: 'streamed',
    script: (good) =>
      streamThen([...good.frames.slice(0, 4), requestError(good, 429)], (exchange) => exchange.finish()),
    counts: LIMITED,
  },
  {
    what: 'an error about the request in place of an answer',
    on: 'whole',
    script: (good) => (exchange) => exchange.whole(200, errorAbout(good, 400)),
    counts: NONE,
  },
  { what: 'a refusal of the request', script: refusal(400, 'invalid_request_error'), counts: NONE },
  { what: 'a refusal of its size', script: refusal(413, 'request_too_large'), counts: NONE },
  { what: 'a refusal in no format', script: () => (exchange) => exchange.whole(400, 'what?'), counts: NONE },
];

describe('what counts for a provider', () => {
  for (const { what, script, counts, ofProvider = counts, on } of CASES)
    for (const dialect of DIALECTS)
      for (const streamed of on === undefined ? [true, false] : [on === 'streamed'])
        test(`${what}: ${dialect}, ${streamed ? 'streamed' : 'whole'}`, async () => {
          bench.upstream.play(script(goodAnswers[dialect]));
          const added = await addedBy(async () => (await bench.post(PATHS[dialect], chatBody(streamed))).text());
          assert.deepEqual(added, [ofProvider, counts]);
        });

  for (const dialect of DIALECTS) {
    test(`silence until the time is up: ${dialect}`, async () => {
      bench.upstream.play(silent);
      const added = await addedBy(async () => {
        const arrived = bench.upstream.nextExchange();
        const answer = bench.post(PATHS[dialect], chatBody(true));
        await arrived;
        clock.advance(120_250);
        assert.equal((await answer).status, 504);
      });
      assert.deepEqual(added, [FAILED, FAILED]);
    });

    for (const begun of [false, true])
      test(`not a caller that leaves ${begun ? 'amid an answer' : 'before there is an answer'}: ${dialect}`, async () => {
        const { frames } = goodAnswers[dialect];
        bench.upstream.play(begun ? streamThen(frames.slice(0, 4), () => undefined) : silent);
        assert.deepEqual(await addedBy(() => leave(dialect, begun)), [NONE, NONE]);
      });
  }
});

async function leave(dialect: DialectUnderTest, begun: boolean): Promise<void> {
  const arrived = bench.upstream.nextExchange();
  const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
  await arrived;
  if (begun) await reader.sees('data: ');
  reader.leave();
}

test('a rejected credential is reported once in the log and the metrics, without the provider’s text, and a list of models does not clear it', async () => {
  const own = await openBench();
  try {
    const CANARY = 'canary-of-a-prompt';
    own.upstream.play(refuse(401, { error: { message: `bad key ${CANARY}`, type: 'authentication_error' } }));
    for (let time = 0; time < 20; time += 1) await (await own.post(CHAT, chatBody(false))).text();
    const logged = () =>
      own.log
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => String(msg).startsWith('provider_'))
        .map(({ time: _time, ...line }) => line);
    const facts = { level: 'warn', provider: 'scripted', error: 'upstream_credential_rejected', status: 401 };
    const failing = { ...facts, connectionError: null, before: 'unknown', state: 'failing', msg: 'provider_failing' };
    const dead = { ...failing, before: 'failing', state: 'dead', msg: 'provider_dead' };
    assert.deepEqual(logged(), [failing, dead]);
    assert.doesNotMatch(own.log.join(''), new RegExp(CANARY));
    const metrics = await (await fetch(`${own.url}/metrics`)).text();
    assert.match(metrics, /^turnpike_alerts_total\{kind="provider_dead",provider="scripted"\} 1$/m);

    const listed = await own.app.control.inject('/control/api/providers');
    const health = listed.json().data[0].health;
    assert.deepEqual([health.state, health.failed, health.error_rate], ['dead', 20, 1]);
    assert.match(health.last_failure.reason, /rejects the credential/);
    assert.doesNotMatch(listed.body, new RegExp(CANARY));

    own.upstream.play((exchange) => exchange.whole(200, '{"data":[]}'));
    const tested = await own.app.control.inject({ method: 'POST', url: '/control/api/providers/scripted/test' });
    assert.equal(tested.json().data.ok, true);
    const state = async () => (await own.app.control.inject('/control/api/providers')).json().data[0].health.state;
    assert.deepEqual([logged().length, await state()], [2, 'dead'], 'a list of models is no answered call');

    own.upstream.play(answerWell);
    await (await own.post(CHAT, chatBody(false))).text();
    const { error: _error, status: _status, connectionError: _name, ...rest } = dead;
    const ended = { ...rest, before: 'dead', state: 'failing', msg: 'provider_failing' };
    assert.deepEqual(logged().slice(2), [{ ...failing, ...ended }], '20 of 21 failed');
    for (let time = 0; time < 200; time += 1) await (await own.post(CHAT, chatBody(false))).text();
    assert.deepEqual(logged().slice(3), [{ ...rest, before: 'failing', state: 'good', msg: 'provider_recovered' }]);
  } finally {
    await own.close();
  }
});

test('a connection failure is cleared by an operator’s test of the provider, but not by the doctor', async () => {
  const own = await openBench();
  try {
    const state = async () => (await own.app.control.inject('/control/api/providers')).json().data[0].health.state;
    const { port } = new URL(own.upstream.origin);
    await own.upstream.close();
    for (let time = 0; time < 5; time += 1) assert.equal((await own.post(CHAT, chatBody(false))).status, 502);
    assert.equal(await state(), 'dead');
    const again = createServer((_request, response) => response.end('{"data":[]}')).listen(Number(port), '127.0.0.1');
    await once(again, 'listening');
    try {
      const looked = await own.app.control.inject('/control/api/providers/scripted/connection');
      assert.deepEqual([looked.json().data.ok, await state()], [true, 'dead']);
      const tested = await own.app.control.inject({ method: 'POST', url: '/control/api/providers/scripted/test' });
      assert.deepEqual([tested.json().data.ok, await state()], [true, 'unknown']);
      assert.equal(JSON.parse(own.log.findLast((line) => line.includes('"provider_')) ?? '{}').msg, 'provider_unknown');
    } finally {
      again.closeAllConnections();
      again.close();
    }
  } finally {
    await own.close();
  }
});

const CHAT = PATHS['openai-chat'];

test('a member is shown a model that the account uses and that fails everywhere, and no other', async () => {
  const own = await openBench();
  try {
    const { gateway, providers } = own.app;
    const used = new Set<string>();
    const stats = { usage: async () => ({ groups: [...used].map((id) => ({ id })) }) };
    const services = { registry: providers, health: gateway.health, stats, clock } as unknown as HealthServices;
    const failing = async (permissions: Account['permissions'] = {}) => {
      const account = { id: 1, permissions } as Account;
      const answer = await healthHandlers(services).listFailingModels({ account } as never, {} as never);
      return (answer as { data: { model: string; state: string }[] }).data.map(({ model, state }) => [model, state]);
    };
    assert.deepEqual(await failing(), []);
    own.upstream.play(refuse(500, { error: { message: 'no', type: 'server_error' } }));
    for (let time = 0; time < 2; time += 1) await (await own.post(CHAT, chatBody(false))).text();
    assert.deepEqual(await failing(), [], 'the account has not used it');
    used.add(OPEN_MODEL);
    assert.deepEqual(await failing(), [[OPEN_MODEL, 'failing']]);
    assert.deepEqual(await failing({ modelsAllow: ['other/*'] }), []);
    for (let time = 0; time < 3; time += 1) await (await own.post(CHAT, chatBody(false))).text();
    assert.deepEqual(await failing(), [[OPEN_MODEL, 'dead']]);
    own.upstream.play(answerWell);
    await (await own.post(CHAT, chatBody(false))).text();
    for (let time = 0; time < 60; time += 1) await (await own.post(CHAT, chatBody(false))).text();
    assert.deepEqual(await failing(), []);
  } finally {
    await own.close();
  }
});
