/**
 * Goal: a provider that fails is not its callers' problem: it is passed over within a few calls, and asked again soon after it is well; a
 * credential that is refused or limited rests alone, which is reported once; nothing of the operator's trouble reaches a
 * caller. Method: three scripted providers of one model, on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { headerOf } from '../support/http-reader.ts';
import {
  chatBody,
  errorCode,
  type OpenGateway,
  openGateway,
  PATHS,
  scriptedProvider,
} from '../support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const broken = refuse(500, {});
const limited = (headers: Record<string, string>) =>
  refuse(429, { error: { message: 'slow down', type: 'rate_limit_error' } }, headers);
const rejected = (status: number) => refuse(status, { error: { message: 'no', type: 'authentication_error' } });

let clock: ManualClock;
let upstreams: readonly ScriptedUpstream[];
let gateway: OpenGateway;
let counts: number[];

before(async () => {
  upstreams = await Promise.all([1, 2, 3].map(() => startScriptedUpstream(answerWell)));
});
after(async () => {
  for (const upstream of upstreams) await upstream.close();
});
beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2026, 11, 1));
  for (const upstream of upstreams) upstream.play(answerWell);
  gateway = await openGateway(
    { providers: upstreams.map(({ origin }, index) => scriptedProvider(`target-${index + 1}`, origin)) },
    { clock },
  );
  reached();
});
afterEach(() => gateway.close());

/** Requests that reached each provider since it was last asked. */
function reached(): number[] {
  const now = upstreams.map(({ exchanges }) => exchanges.length);
  const since = now.map((count, index) => count - (counts?.[index] ?? 0));
  counts = now;
  return since;
}

function play(...scripts: readonly Script[]): void {
  for (const [index, script] of scripts.entries()) upstreams[index]?.play(script);
}

async function call(of: OpenGateway = gateway): Promise<Response> {
  const settled = of.nextRecord();
  const response = await of.post(PATHS['openai-chat'], chatBody(false));
  await response.clone().arrayBuffer();
  await settled;
  return response;
}

async function statuses(times: number, of: OpenGateway = gateway): Promise<number[]> {
  const all: number[] = [];
  for (let time = 0; time < times; time += 1) all.push((await call(of)).status);
  return all;
}

function warned(of: OpenGateway, event: string): number {
  return of.log.filter((line) => line.includes(`"${event}"`)).length;
}

test('one broken provider of three is asked five times, then once after each rest, and gets its calls back when it is well', async () => {
  await statuses(20);
  assert.deepEqual(reached(), [20, 0, 0]);
  play(broken);
  const answered = await statuses(40);
  assert.ok(
    answered.every((status) => status === 200),
    `${answered}`,
  );
  assert.deepEqual(reached(), [5, 40, 0]);
  for (const restMs of [5_000, 10_000, 20_000, 25_000]) {
    clock.advance(restMs);
    assert.deepEqual(await statuses(10), Array(10).fill(200));
    assert.deepEqual(reached(), [1, 10, 0], `after ${restMs} ms`);
  }
  play(answerWell);
  clock.advance(25_000);
  await statuses(10);
  assert.deepEqual(reached(), [10, 0, 0]);
});

test('all failing, providers are asked at most 1.2 times as often as they are called, and three more', async () => {
  play(broken, broken, broken);
  const answered = await statuses(100);
  assert.ok(answered.every((status) => status === 502));
  const attempts = reached().reduce((sum, count) => sum + count, 0);
  assert.ok(attempts >= 100 && attempts <= 1.2 * 100 + 3, `${attempts} attempts`);
});

test('half of the callers leaving, no provider rests', async () => {
  play((exchange) => exchange.openStream());
  for (let time = 0; time < 40; time += 1) {
    const settled = gateway.nextRecord();
    const leaving = new AbortController();
    const entered = gateway.nextCall();
    const answer = fetch(gateway.url + PATHS['openai-chat'], {
      method: 'POST',
      body: JSON.stringify(chatBody(true)),
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      signal: leaving.signal,
    }).catch(() => null);
    const running = await entered;
    while (!running.answered) await new Promise(setImmediate);
    leaving.abort();
    await answer;
    assert.equal((await settled).ending, 'caller_left');
  }
  play(answerWell);
  await statuses(10);
  assert.deepEqual(reached(), [50, 0, 0]);
});

test('a rejected credential of the only provider is the operator’s problem: 502 for callers, one alert, and one when it is accepted', async () => {
  const [upstream] = upstreams;
  assert.ok(upstream);
  const single = await openGateway({ providers: [scriptedProvider('single', upstream.origin)] }, { clock });
  try {
    for (const status of [401, 402, 403]) {
      play(rejected(status));
      for (let time = 0; time < 4; time += 1) {
        const response = await call(single);
        assert.equal(response.status, 502, `HTTP ${status}`);
        assert.equal(errorCode(await response.json()), 'upstream_credential_rejected');
        assert.equal(response.headers.get('www-authenticate'), null);
      }
      assert.equal(warned(single, 'credential_rejected'), status === 401 ? 1 : status === 402 ? 2 : 3);
      play(answerWell);
      clock.advance(25_000);
      assert.deepEqual(await statuses(2, single), [200, 200]);
      assert.equal(warned(single, 'credential_accepted'), status === 401 ? 1 : status === 402 ? 2 : 3);
      clock.advance(60_000);
    }
  } finally {
    await single.close();
  }
});

test('a limit goes to another provider, and rests as long as it says; of the only provider it reaches the caller with its Retry-After', async () => {
  play(limited({ 'retry-after': '60' }));
  assert.deepEqual(await statuses(10), Array(10).fill(200));
  assert.deepEqual(reached(), [1, 10, 0]);
  clock.advance(59_000);
  await statuses(3);
  assert.deepEqual(reached(), [0, 3, 0]);
  play(answerWell);
  clock.advance(1_000);
  await statuses(3);
  assert.deepEqual(reached(), [3, 0, 0]);
  play(...[1, 2, 3].map(() => limited({ 'retry-after': '60' })));
  const last = await call();
  assert.equal(last.status, 429);
  assert.equal(last.headers.get('retry-after'), '60');
  assert.deepEqual(reached(), [1, 1, 1]);
});

test('credentials of one provider take turns; one that is refused rests alone and costs no call', async () => {
  const [upstream] = upstreams;
  assert.ok(upstream);
  const keys = ['sk-first-credential-1111', 'sk-second-credential-2222', 'sk-third-credential-3333'];
  const [credential, ...credentials] = keys;
  const provider = { ...scriptedProvider('single', upstream.origin), credential, credentials };
  const single = await openGateway({ providers: [provider] }, { clock });
  const used = (since: number) => {
    const sent = upstream.exchanges
      .slice(since)
      .map(({ request }) => `${headerOf(request, 'authorization')}`.slice(-4));
    return ['1111', '2222', '3333'].map((end) => sent.filter((each) => each === end).length);
  };
  try {
    let since = upstream.exchanges.length;
    await statuses(30, single);
    assert.deepEqual(used(since), [10, 10, 10]);
    upstream.play((exchange) =>
      `${headerOf(exchange.request, 'authorization')}`.endsWith('2222')
        ? rejected(401)(exchange)
        : answerWell(exchange),
    );
    since = upstream.exchanges.length;
    assert.deepEqual(await statuses(30, single), Array(30).fill(200));
    assert.equal(used(since)[1], 1);
    assert.equal(warned(single, 'credential_rejected'), 1);
    assert.ok(single.log.every((line) => !keys.some((key) => line.includes(key))));
    upstream.play(answerWell);
    clock.advance(5_000);
    since = upstream.exchanges.length;
    await statuses(30, single);
    assert.deepEqual(used(since), [10, 10, 10]);
    assert.equal(warned(single, 'credential_accepted'), 1);
  } finally {
    await single.close();
  }
});
