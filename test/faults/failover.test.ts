/**
 * Goal: a call goes to the next target only while nothing has reached its caller and another may succeed,
 * at most three times, and is settled once. Method: three scripted providers of one model.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { neverResting } from '../support/never-resting.ts';
import {
  chatBody,
  DIALECTS,
  errorCode,
  type OpenGateway,
  openGateway,
  PATHS,
  scriptedProvider,
} from '../support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, htmlInstead, refuse, resetAtOnce, streamThen } from '../support/upstream-scripts.ts';
import { goodAnswers } from './fault.ts';

const overloaded: Script = refuse(503, { error: { message: 'busy', type: 'overloaded_error' } });

let upstreams: readonly ScriptedUpstream[];
let gateway: OpenGateway;
/** Requests that reached each provider since the test began. */
let counts: readonly number[];

before(async () => {
  upstreams = await Promise.all([1, 2, 3].map(() => startScriptedUpstream(answerWell)));
  gateway = await openGateway({
    providers: upstreams.map(({ origin }, index) => scriptedProvider(`target-${index + 1}`, origin)),
  });
  neverResting(gateway);
});
after(async () => {
  await gateway.close();
  for (const upstream of upstreams) await upstream.close();
});
beforeEach(() => {
  for (const upstream of upstreams) upstream.play(answerWell);
  counts = upstreams.map(({ exchanges }) => exchanges.length);
});

function play(...scripts: readonly Script[]): void {
  for (const [index, script] of scripts.entries()) upstreams[index]?.play(script);
}

function reached(): number[] {
  return upstreams.map(({ exchanges }, index) => exchanges.length - (counts[index] ?? 0));
}

describe('another target is tried', () => {
  const REASONS: Readonly<Record<string, Script>> = {
    'after a 500': refuse(500, {}),
    'after a 502': refuse(502, {}),
    'after a 503': overloaded,
    'after a 504': refuse(504, {}),
    'after a 529': refuse(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    'after a 429': refuse(429, { error: { message: 'slow down', type: 'rate_limit_error' } }),
    'after a 401': refuse(401, { error: { message: 'bad key', type: 'authentication_error' } }),
    'after a 402': refuse(402, { error: { message: 'top up', type: 'billing_error' } }),
    'after a redirect': refuse(302, {}, { location: 'http://127.0.0.1:9/' }),
    'after an HTML page instead of an answer': htmlInstead,
  };
  for (const [reason, script] of Object.entries(REASONS)) {
    for (const dialect of DIALECTS) {
      for (const streamed of [false, true]) {
        test(`${reason}: ${dialect}, ${streamed ? 'streamed' : 'whole'}`, async () => {
          play(script);
          const settled = gateway.nextRecord();
          const response = await gateway.post(PATHS[dialect], chatBody(streamed));
          assert.equal(response.status, 200);
          assert.match(await response.text(), /Hi/);
          const record = await settled;
          assert.deepEqual(reached(), [1, 1, 0]);
          assert.equal(record.ending, 'complete');
          assert.equal(record.provider, 'target-2', 'the call is charged for the target that served it');
          assert.equal(record.usageSource, 'reported');
          assert.deepEqual(
            record.attempts.map(({ provider, error }) => [provider, error === null]),
            [
              ['target-1', false],
              ['target-2', true],
            ],
          );
        });
      }
    }
  }

  test('after a reset, which is tried again first, three times in all', async () => {
    play(resetAtOnce, resetAtOnce);
    const settled = gateway.nextRecord();
    const response = await gateway.post(PATHS['openai-chat'], chatBody(false));
    assert.equal(response.status, 502);
    await response.text();
    assert.deepEqual(reached(), [2, 1, 0], 'the third target would be the fourth attempt');
    assert.equal((await settled).attempts.length, 3);
  });

  test('after a refused connection', async () => {
    const closed = await closedPort();
    const second = upstreams[0];
    assert.ok(second !== undefined);
    const own = await openGateway({
      providers: [scriptedProvider('nobody', closed), scriptedProvider('somebody', second.origin)],
    });
    const settled = own.nextRecord();
    const startedAt = performance.now();
    const response = await own.post(PATHS['anthropic-messages'], chatBody(true));
    assert.match(await response.text(), /message_stop/);
    assert.ok(performance.now() - startedAt < 1000);
    const record = await settled;
    assert.deepEqual(
      record.attempts.map(({ provider, error }) => [provider, error]),
      [
        ['nobody', 'upstream_unreachable'],
        ['somebody', null],
      ],
    );
    await own.close();
  });

  test('three times at most, and the caller gets the last failure', async () => {
    play(refuse(500, {}), refuse(500, {}), overloaded);
    const settled = gateway.nextRecord();
    const before = gateway.records.length;
    const response = await gateway.post(PATHS['openai-chat'], chatBody(false));
    assert.equal(response.status, 503);
    assert.equal(errorCode(await response.json()), 'upstream_overloaded');
    const record = await settled;
    assert.deepEqual(reached(), [1, 1, 1]);
    assert.equal(record.attempts.length, 3);
    assert.equal(record.charge, 0n);
    assert.equal(gateway.records.length, before + 1);
  });
});

describe('no other target is tried', () => {
  for (const dialect of DIALECTS) {
    test(`once a byte has reached the caller: ${dialect}`, async () => {
      play(streamThen(goodAnswers[dialect].frames.slice(0, 3), (exchange) => exchange.reset()));
      const settled = gateway.nextRecord();
      const response = await gateway.post(PATHS[dialect], chatBody(true));
      assert.match(await response.text(), /bad_gateway/);
      assert.deepEqual(reached(), [1, 0, 0]);
      assert.equal((await settled).ending, 'upstream_failed');
    });

    test(`when the request itself is at fault: ${dialect}`, async () => {
      play(refuse(400, JSON.parse(goodAnswers[dialect].errorBody('invalid_request_error', 'temperature is too high'))));
      const settled = gateway.nextRecord();
      const response = await gateway.post(PATHS[dialect], chatBody(false));
      assert.equal(response.status, 400);
      await response.text();
      assert.deepEqual(reached(), [1, 0, 0]);
      const record = await settled;
      assert.equal(record.ending, 'refused_upstream');
      assert.equal(record.charge, 0n);
    });
  }

  test('when the caller has left', async () => {
    const first = upstreams[0];
    assert.ok(first !== undefined);
    play(() => undefined);
    const arrived = first.nextExchange();
    const settled = gateway.nextRecord();
    const leaving = new AbortController();
    const call = fetch(gateway.url + PATHS['openai-chat'], {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(chatBody(false)),
    });
    await arrived;
    leaving.abort();
    await assert.rejects(call);
    assert.equal((await settled).ending, 'caller_left');
    assert.deepEqual(reached(), [1, 0, 0]);
  });
});

test('a model whose only target is unreachable is reported within a second', async () => {
  const own = await openGateway({ providers: [scriptedProvider('nobody', await closedPort())] });
  for (const dialect of DIALECTS) {
    for (const streamed of [false, true]) {
      const settled = own.nextRecord();
      const startedAt = performance.now();
      const response = await own.post(PATHS[dialect], chatBody(streamed));
      assert.equal(response.status, 502);
      assert.equal(errorCode(await response.json()), 'upstream_unreachable');
      assert.ok(performance.now() - startedAt < 1000);
      const record = await settled;
      assert.equal(record.charge, 0n);
      assert.equal(record.usageSource, 'none');
    }
  }
  await own.close();
});

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
