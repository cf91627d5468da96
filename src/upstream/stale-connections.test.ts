/**
 * Goal: the client reports that a kept connection was closed as a request was sent, over TCP and TLS, and sends a small request again,
 * once, on a new connection. Method: scripted servers on loopback that answer the first request of a connection and close it at the second.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { certificate, trust } from '../../test/support/certificates.ts';
import { type Exchange, type Script, startScriptedUpstream } from '../../test/support/scripted-upstream.ts';
import { ManualClock } from '../core/clock.ts';
import { UpstreamClient } from './client.ts';

const LIMITS = { timeoutMs: 60_000, bytesMax: 1_000 };
const answer: Script = (exchange) => exchange.whole(200, '{}');

/** A client with one connection that is kept, and a server that does `end` to every later request on it. */
async function keepOne(context: TestContext, end: Script, elsewhere: Script = answer, isSecure = false) {
  if (isSecure) trust('trusted');
  const upstream = await startScriptedUpstream(answer, isSecure ? certificate('trusted') : undefined);
  const clock = new ManualClock();
  const client = new UpstreamClient({ clock, connectMs: 1_000, keepAliveMs: 60_000 });
  context.after(async () => {
    await client.close();
    await upstream.close();
  });
  const request = () => ({ origin: upstream.origin, method: 'GET', path: '/', headers: {}, body: null }) as const;
  const ask = () => client.request(request(), LIMITS);
  assert.equal((await ask()).status, 200);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const kept = upstream.exchanges[0]?.socket;
  upstream.play((exchange) => (exchange.socket === kept ? end : elsewhere)(exchange));
  const wasStale = () =>
    new Promise<boolean>((resolve, reject) => {
      client.send(
        request(),
        () => {
          reject(new Error('it was answered'));
          return { chunk: () => undefined, end: () => undefined, fail: () => undefined };
        },
        (_error, stale) => resolve(stale),
      );
    });
  return { ask, wasStale, clock, exchanges: upstream.exchanges };
}

const reset: Script = (exchange: Exchange) => exchange.reset();
const finish: Script = (exchange: Exchange) => exchange.finish();
const partOf = async (exchange: Exchange) => {
  await exchange.raw('HTTP/1.1 2');
  exchange.finish();
};
const interim = async (exchange: Exchange) => {
  await exchange.raw('HTTP/1.1 103 Early Hints\r\n\r\n');
  exchange.finish();
};

for (const [what, end, isSecure] of [
  ['reset', reset, false],
  ['closed', finish, false],
  ['closed over TLS', finish, true],
] as const)
  test(`a kept connection that is ${what} as a request arrives was stale, and a small request is answered on a new one`, async (context) => {
    const one = await keepOne(context, end, answer, isSecure);
    assert.equal(await one.wasStale(), true);
    const other = await keepOne(context, end, answer, isSecure);
    assert.equal((await other.ask()).status, 200);
    assert.equal(other.exchanges.length, 3);
  });

for (const [what, end, isSecure] of [
  ['a part of an answer', partOf, false],
  ['a part of an answer over TLS', partOf, true],
  ['an interim answer', interim, false],
] as const)
  test(`a connection that brings ${what} was not stale`, async (context) => {
    const { wasStale } = await keepOne(context, end, answer, isSecure);
    assert.equal(await wasStale(), false);
  });

test('a server that closes a connection after a second had read the request', async (context) => {
  const { ask, clock, exchanges } = await keepOne(context, (exchange) => {
    clock.advance(1_001);
    exchange.reset();
  });
  await assert.rejects(ask());
  assert.equal(exchanges.length, 2);
});

test('a request is sent again once; a new connection that is reset is a failure', async (context) => {
  const { ask, wasStale, exchanges } = await keepOne(context, reset, reset);
  await assert.rejects(ask());
  assert.equal(exchanges.length, 3);
  assert.equal(await wasStale(), false);
});
