/**
 * Goal: if a provider fails after its 2xx head, before anything has reached the caller, another target is tried; and the head
 * is not delayed for long. Method: two scripted providers of one model, on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { neverResting } from '../../../test/support/never-resting.ts';
import {
  chatBody,
  DIALECTS,
  errorCode,
  type OpenGateway,
  openGateway,
  PATHS,
  rawCall,
  scriptedProvider,
} from '../../../test/support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../../../test/support/scripted-upstream.ts';
import { StreamReader } from '../../../test/support/stream-reader.ts';
import { answerWell } from '../../../test/support/upstream-scripts.ts';
import { ManualClock } from '../../core/clock.ts';

let upstreams: readonly ScriptedUpstream[];
let gateway: OpenGateway;
const clock = new ManualClock(Date.UTC(2026, 11, 1));
/** Requests that reached each provider since the test began. */
let counts: readonly number[];

before(async () => {
  upstreams = await Promise.all([1, 2].map(() => startScriptedUpstream(answerWell)));
  gateway = await openGateway(
    {
      providers: upstreams.map(({ origin }, index) => scriptedProvider(`target-${index + 1}`, origin)),
      timeouts: { pingMs: 500 },
    },
    { clock },
  );
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

/** Runs `end` once the gateway has read what came before. */
function afterHead(begin: (exchange: Parameters<Script>[0]) => Promise<void>, end: Script): Script {
  return async (exchange) => {
    await begin(exchange);
    await answered();
    await end(exchange);
  };
}

/** Resolves when the newest call's provider has begun to answer, after the turn in which it did. */
async function answered(): Promise<void> {
  while (gateway.calls.at(-1)?.answered !== true) await turn();
  await turn();
  await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const wholeHead = (exchange: Parameters<Script>[0]) =>
  exchange.head(200, { 'content-type': 'application/json', 'content-length': '100' });
const reset: Script = (exchange) => exchange.reset();

describe('another target is tried if the first fails after its head', () => {
  const FAILURES: Readonly<Record<string, { readonly streamed: boolean; readonly script: Script }>> = {
    'a stream is reset': { streamed: true, script: afterHead((exchange) => exchange.openStream(), reset) },
    'a stream is closed': {
      streamed: true,
      script: afterHead(
        (exchange) => exchange.openStream(),
        (exchange) => exchange.finish(),
      ),
    },
    'a stream ends empty': {
      streamed: true,
      script: afterHead(
        (exchange) => exchange.openStream(),
        (exchange) => exchange.lastChunk(),
      ),
    },
    'a stream is reset within its first event': {
      streamed: true,
      script: afterHead(async (exchange) => {
        await exchange.openStream();
        await exchange.chunk('data: {"id":');
      }, reset),
    },
    'a whole answer is reset': { streamed: false, script: afterHead(wholeHead, reset) },
    'a whole answer is closed': { streamed: false, script: afterHead(wholeHead, (exchange) => exchange.finish()) },
  };
  for (const [name, { streamed, script }] of Object.entries(FAILURES)) {
    for (const dialect of DIALECTS) {
      test(`${name}: ${dialect}`, async () => {
        play(script);
        const settled = gateway.nextRecord();
        const response = await gateway.post(PATHS[dialect], chatBody(streamed));
        assert.equal(response.status, 200);
        assert.match(await response.text(), /Hi/);
        const record = await settled;
        assert.deepEqual(reached(), [1, 1]);
        assert.deepEqual([record.ending, record.provider, record.usageSource], ['complete', 'target-2', 'reported']);
        assert.deepEqual(
          record.attempts.map(({ status, error }) => [status, error]),
          [
            [200, 'bad_gateway'],
            [200, null],
          ],
        );
      });
    }
  }
});

test('if no other target is left, the caller gets a status and pays nothing', async () => {
  const script = afterHead((exchange) => exchange.openStream(), reset);
  play(script, script);
  const settled = gateway.nextRecord();
  const response = await gateway.post(PATHS['openai-chat'], chatBody(true));
  assert.equal(response.status, 502);
  assert.equal(errorCode(await response.json()), 'bad_gateway');
  const record = await settled;
  assert.deepEqual([record.ending, record.charge], ['upstream_failed', 0n]);
  assert.deepEqual(reached(), [1, 1]);
});

test('a ping counts as a first byte: after it no other target is tried', async () => {
  const exchanged = upstreams[0]?.nextExchange();
  play((exchange) => exchange.openStream());
  const settled = gateway.nextRecord();
  const reader = await StreamReader.open(gateway.url, rawCall(gateway, 'anthropic-messages', true));
  const exchange = await exchanged;
  await answered();
  assert.equal(reader.text, '');
  clock.advance(500);
  await reader.sees('event: ping');
  exchange?.reset();
  await reader.sees('bad_gateway');
  assert.equal((await settled).ending, 'upstream_failed');
  assert.deepEqual(reached(), [1, 0]);
  reader.socket.destroy();
});

test('the head is sent alone if there are no bytes for a second', async () => {
  const quiet = await openGateway(
    { providers: upstreams.map(({ origin }, index) => scriptedProvider(`target-${index + 1}`, origin)) },
    { clock },
  );
  try {
    play((exchange) => exchange.openStream());
    const entered = quiet.nextCall();
    const reader = await StreamReader.open(quiet.url, rawCall(quiet, 'openai-chat', true));
    const call = await entered;
    while (!call.answered) await turn();
    clock.advance(750);
    await turn();
    assert.equal(call.response.headersSent, false);
    clock.advance(500);
    await reader.sees('\r\n\r\n');
    assert.match(reader.text, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(reader.text, /ping|PROCESSING/i);
    const settled = quiet.nextRecord();
    reader.socket.destroy();
    assert.equal((await settled).ending, 'caller_left');
  } finally {
    await quiet.close();
  }
});
