/**
 * Goal: a stopping gateway reports it immediately and lets running calls complete; what cannot wait
 * ends with an error and a settlement. Method: in this process on a clock that the test moves; then
 * the real program, a real signal and its exit code.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { takeSignals } from '../../src/app/serve.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { openDataFolder } from '../../src/storage/folder/data-folder.ts';
import { goodAnswers } from '../faults/fault.ts';
import {
  chatBody,
  DIALECTS,
  endsProperly,
  errorCode,
  type OpenBench,
  openBench,
  PATHS,
  rawCall,
  scriptedProvider,
} from '../support/open-gateway.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { startServer } from '../support/serve-process.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { until } from '../support/turns.ts';
import { answerWell, silent, streamThen } from '../support/upstream-scripts.ts';

const GRACE_MS = 5_000;
const DEADLINE_MS = 600_000;
const LIMITS = { graceMs: GRACE_MS, deadlineMs: DEADLINE_MS };

async function benchOnClock(): Promise<{ bench: OpenBench; clock: ManualClock }> {
  const clock = new ManualClock();
  return { bench: await openBench({}, { clock }), clock };
}

function ready(bench: OpenBench): Promise<number> {
  return fetch(`${bench.url}/health/ready`).then(async (response) => {
    await response.text();
    return response.status;
  });
}

test('readiness turns 503 immediately, calls are served through the grace and refused after it', async () => {
  const { bench, clock } = await benchOnClock();
  assert.equal(await ready(bench), 200);
  bench.upstream.play(streamThen(goodAnswers['openai-chat'].frames.slice(0, 3), () => undefined));
  const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
  await reader.sees('one ');
  const running = bench.upstream.exchanges.at(-1);

  bench.upstream.play(answerWell);
  const before = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.equal(before.headers.get('connection'), 'keep-alive');
  await before.text();
  const drained = bench.app.drain(LIMITS);
  assert.equal(await ready(bench), 503);
  const inGrace = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.equal(inGrace.status, 200);
  assert.equal(inGrace.headers.get('connection'), 'close', 'a kept connection is not used again');
  await inGrace.text();

  clock.advance(GRACE_MS);
  for (const dialect of DIALECTS) {
    const late = await bench.post(PATHS[dialect], chatBody(false));
    assert.equal(late.status, 503);
    assert.equal(errorCode(await late.json()), 'draining');
    assert.match(late.headers.get('retry-after') ?? '', /^\d+$/);
  }
  const settled = bench.nextRecord();
  for (const frame of goodAnswers['openai-chat'].frames.slice(3)) await running?.chunk(frame);
  await running?.lastChunk();
  await reader.sees((text) => endsProperly(text));
  assert.equal((await settled).ending, 'complete', 'running calls complete');
  reader.leave();
  await drained;
  await bench.close();
});

test('without a running call the grace period still applies', async () => {
  const { bench, clock } = await benchOnClock();
  let ended = false;
  const drained = bench.app.drain(LIMITS).then(() => {
    ended = true;
  });
  const response = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.equal(response.status, 200);
  await response.text();
  clock.advance(GRACE_MS - 1);
  assert.equal((await bench.post(PATHS['openai-chat'], chatBody(false)).then((late) => late.text())).length > 0, true);
  assert.equal(ended, false);
  clock.advance(1);
  await drained;
  await assert.rejects(fetch(`${bench.url}/health/live`), 'nobody listens any more');
  await bench.close();
});

test('calls that run at the deadline end with their own error, and are settled', async () => {
  const { bench, clock } = await benchOnClock();
  const readers: StreamReader[] = [];
  for (const dialect of DIALECTS) {
    bench.upstream.play(streamThen(goodAnswers[dialect].frames.slice(0, 3), () => undefined));
    const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
    await reader.sees('one ');
    readers.push(reader);
  }
  bench.upstream.play(silent);
  const arrived = bench.upstream.nextExchange();
  const waiting = bench.post(PATHS['openai-chat'], chatBody(false));
  await arrived;
  const connection = await bench.connect();
  const entered = bench.nextCall();
  await connection.write(rawCall(bench, 'openai-chat', false).slice(0, -5));
  await entered;

  const idle = 250_000;
  const drained = bench.app.drain({ graceMs: GRACE_MS, deadlineMs: idle });
  clock.advance(9_000);
  clock.advance(idle - 9_000);
  for (const reader of readers) {
    await reader.sees('draining');
    assert.equal(endsProperly(reader.text), false);
  }
  const answer = await waiting;
  assert.equal(answer.status, 503);
  assert.equal(errorCode(await answer.json()), 'draining');
  const unread = await connection.answer();
  assert.match(unread?.startLine ?? '', / (503|408) /);
  clock.advance(2_000);
  for (const reader of readers) reader.leave();
  connection.close();
  await drained;
  assert.deepEqual(
    bench.records.map(({ ending }) => ending),
    ['drained', 'drained', 'drained'],
  );
  assert.ok(bench.records.every(({ charge }) => charge > 0n));
  for (const exchange of bench.upstream.exchanges) await exchange.closed;
  await bench.close();
});

test('a caller that sends its body forever does not delay the exit', async () => {
  const { bench, clock } = await benchOnClock();
  const connection = await bench.connect();
  const entered = bench.nextCall();
  const big = rawCall(bench, 'openai-chat', false, 'x'.repeat(60_000));
  await connection.write(big.slice(0, 50_000));
  await entered;
  await until('the bytes', () => bench.app.gateway.running.count === 1);
  const drained = bench.app.drain({ graceMs: 1_000, deadlineMs: 2_000 });
  clock.advance(2_000);
  const answer = await connection.answer();
  assert.match(answer?.startLine ?? '', / 503 /);
  connection.close();
  await drained;
  assert.equal(bench.records.length, 0);
  await bench.close();
});

test('SIGTERM: the program completes its streams and exits with 0', { timeout: 30_000 }, async (context) => {
  const upstream = await startScriptedUpstream(
    streamThen(goodAnswers['openai-chat'].frames.slice(0, 3), () => undefined),
  );
  const server = await startServer({ providers: [scriptedProvider('scripted', upstream.origin)], demo: false });
  const readers = await Promise.all(
    Array.from({ length: 50 }, () => StreamReader.open(server.url, rawCall(server, 'openai-chat', true))),
  );
  await Promise.all(readers.map((reader) => reader.sees('one ')));
  server.process.kill('SIGTERM');
  const signalledAt = performance.now();
  let readyStatus = 200;
  while (readyStatus === 200) {
    const response = await fetch(`${server.url}/health/ready`);
    readyStatus = response.status;
    await response.text();
  }
  const unreadyMs = performance.now() - signalledAt;
  assert.equal(readyStatus, 503);
  for (const exchange of upstream.exchanges) {
    for (const frame of goodAnswers['openai-chat'].frames.slice(3)) await exchange.chunk(frame);
    await exchange.lastChunk();
  }
  for (const reader of readers) await reader.sees((text) => endsProperly(text));
  for (const reader of readers) reader.leave();
  const [code] = await once(server.process, 'exit');
  assert.equal(code, 0);
  context.diagnostic(
    `unready after ${Math.round(unreadyMs)} ms, gone after ${Math.round(performance.now() - signalledAt)} ms`,
  );
  assert.equal((await server.settlements()).filter(({ ending }) => ending === 'complete').length, 50);
  await server.remove();
  await upstream.close();
});

test('SIGTERM ends a server without running calls immediately, whoever is still connected, and frees its folder', {
  timeout: 30_000,
}, async (context) => {
  const server = await startServer({ demo: false });
  // One kept alive by its client, and another that has sent nothing.
  await fetch(`${server.url}/health/ready`).then((response) => response.text());
  const silentCaller = await RawConnection.open(server.url);
  const signalledAt = performance.now();
  server.process.kill('SIGTERM');
  const [code] = await once(server.process, 'exit');
  const tookMs = Math.round(performance.now() - signalledAt);
  context.diagnostic(`gone after ${tookMs} ms`);
  assert.equal(code, 0);
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
  silentCaller.close();
  openDataFolder(server.dataFolder).close();
  await server.remove();
});

/** One stream under way, on a clock, and signals as the program takes them. */
async function signalledBench(timeouts: { drainMs: number; drainDelayMs: number }) {
  const { bench, clock } = await benchOnClock();
  bench.upstream.play(streamThen(goodAnswers['openai-chat'].frames.slice(0, 3), () => undefined));
  const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
  await reader.sees('one ');
  const drains: Promise<void>[] = [];
  const take = takeSignals(bench.app, { clock, timeouts: () => timeouts }, (drained) => drains.push(drained));
  return { bench, clock, reader, drains, take };
}

test('signals of one stop that arrive together count once; a second one ends running calls immediately, settled', async () => {
  const { bench, clock, reader, drains, take } = await signalledBench({ drainMs: DEADLINE_MS, drainDelayMs: 0 });
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGTERM'] as const) {
    take(signal);
    clock.advance(300);
  }
  assert.equal(drains.length, 1);
  assert.equal(bench.app.gateway.running.count, 1, 'the stream goes on');
  clock.advance(10_000);
  assert.equal(bench.app.gateway.running.count, 1);
  const settled = bench.nextRecord();
  take('SIGTERM');
  await reader.sees('draining');
  assert.equal((await settled).ending, 'drained');
  reader.leave();
  await drains[0];
  await bench.close();
});

test('SIGTERM accepts new calls for as long as the option says, SIGINT accepts none', async () => {
  for (const [signal, status] of [
    ['SIGTERM', 200],
    ['SIGINT', 503],
  ] as const) {
    const { bench, clock, reader, drains, take } = await signalledBench({ drainMs: DEADLINE_MS, drainDelayMs: 7_000 });
    bench.upstream.play(answerWell);
    take(signal);
    clock.advance(6_999);
    const answer = await bench.post(PATHS['openai-chat'], chatBody(false));
    assert.equal(answer.status, status);
    await answer.text();
    clock.advance(1);
    const late = await bench.post(PATHS['openai-chat'], chatBody(false));
    assert.equal(late.status, 503);
    await late.text();
    reader.leave();
    await drains[0];
    await bench.close();
  }
});
