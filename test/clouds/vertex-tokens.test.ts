/**
 * Goal: whatever a token service does, a call gets a good token or a clear failure in bounded time, and health shows it. Method: the whole
 * gateway over loopback, on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { errorCode, type OpenBench } from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { anthropicBody } from '../support/upstream-scripts.ts';
import { byPath, CLAUDE, openCloud, pathOf, sentHeader } from './cloud-bench.ts';

const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const HOUR = 3_600_000;
const body = { model: CLAUDE, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };

const clock = new ManualClock(Date.UTC(2026, 10, 23));
let bench: OpenBench;
before(async () => {
  bench = await openCloud(
    {
      kind: 'vertex',
      models: { [CLAUDE]: 'claude-sonnet-4-5@20250929' },
      fields: (origin) => ({
        location: 'global',
        project: 'mine',
        credential: JSON.stringify({ client_email: 'a@b', private_key: PEM, token_uri: `${origin}/token` }),
      }),
    },
    () => ({ clock }),
  );
});
after(() => bench.close());

const good: Script = (exchange) => exchange.whole(200, anthropicBody('Hi you'));
const tokenOf =
  (value: string): Script =>
  (exchange) =>
    exchange.whole(200, JSON.stringify({ access_token: value, expires_in: 3600 }));
const play = (token: Script, call: Script = good) =>
  bench.upstream.play(
    byPath([
      [/^\/token$/, token],
      [/./, call],
    ]),
  );
const call = () => bench.post('/v1/messages', body);
const sentTokens = () =>
  bench.upstream.exchanges.filter((each) => pathOf(each) !== '/token').map((each) => sentHeader(each, 'authorization'));
const askedTokens = () => bench.upstream.exchanges.filter((each) => pathOf(each) === '/token').length;

test('while the service fails, calls fail with 502, nothing reaches the provider, and health shows it', async () => {
  for (const [script, code] of [
    [(exchange) => exchange.whole(500, 'canary'), 'upstream_unreachable'],
    [(exchange) => exchange.whole(401, '{"error":"invalid_grant canary"}'), 'upstream_credential_rejected'],
    [(exchange) => exchange.whole(200, '<html>canary'), 'bad_gateway'],
    [(exchange) => exchange.reset(), 'upstream_unreachable'],
  ] as [Script, string][]) {
    clock.advance(2000);
    play(script);
    const response = await call();
    const text = await response.text();
    assert.deepEqual([response.status, errorCode(JSON.parse(text))], [502, code], text);
    assert.ok(!text.includes('canary'));
  }
  assert.deepEqual(sentTokens(), []);
  const { health, providers } = bench.app.gateway;
  const provider = providers.get('vertex');
  assert(provider !== undefined);
  const figures = health.of(provider);
  assert.equal(figures?.state, 'failing');
  assert.equal(figures?.lastFailure?.reason.code, 'upstream_unreachable');
});

test('a call waits ten seconds for a slow service, and no longer', async () => {
  clock.advance(2000);
  play(() => undefined);
  const asked = bench.upstream.nextExchange();
  const response = call();
  await asked;
  clock.advance(10_000);
  assert.equal((await response).status, 502);
});

test('a burst over the end of a token fetches one, and none is sent after its end', async () => {
  clock.advance(2000);
  play(tokenOf('ya29.first'));
  assert.equal((await call()).status, 200);
  const before = askedTokens();
  play(tokenOf('ya29.second'));
  clock.advance(HOUR);
  const burst = await Promise.all(Array.from({ length: 30 }, call));
  assert.ok(burst.every(({ status }) => status === 200));
  assert.equal(askedTokens(), before + 1);
  assert.deepEqual(sentTokens(), ['Bearer ya29.first', ...Array.from({ length: 30 }, () => 'Bearer ya29.second')]);
});

test('a token that the provider refuses early is replaced, and the call tried once more', async () => {
  clock.advance(60_000);
  play(tokenOf('ya29.third'), (exchange) =>
    sentHeader(exchange, 'authorization') === 'Bearer ya29.third'
      ? good(exchange)
      : exchange.whole(401, '{"error":{"code":401,"status":"UNAUTHENTICATED","message":"expired"}}'),
  );
  const recorded = bench.nextRecord();
  assert.equal((await call()).status, 200);
  assert.deepEqual(sentTokens().slice(-2), ['Bearer ya29.second', 'Bearer ya29.third']);
  assert.equal((await recorded).attempts.length, 2);
});

test('a provider that refuses every token is asked twice per call at most, and fetches one token', async () => {
  clock.advance(60_000);
  play(tokenOf('ya29.fourth'), (exchange) => exchange.whole(401, '{"error":{"code":401,"message":"no"}}'));
  const [calls, tokens] = [sentTokens().length, askedTokens()];
  const response = await call();
  assert.deepEqual([response.status, errorCode(await response.json())], [502, 'upstream_credential_rejected']);
  assert.equal((await call()).status, 502);
  assert.deepEqual([sentTokens().length - calls, askedTokens() - tokens], [3, 1]);
});

test('no token and no part of the key is in the log', () => {
  const log = bench.log.join('\n');
  assert.ok(!log.includes('ya29') && !log.includes(String(PEM).split('\n')[1] as string));
});
