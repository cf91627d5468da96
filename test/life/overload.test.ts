/**
 * Goal: an overload is refused at once, fairly and without a hold, and everything that calls no model is answered meanwhile. Method: the
 * whole gateway with few places and a provider that answers when the test says so; figures of load that the test sets; and the
 * program with 256 descriptors. In full size as `npm run prove -- overload`.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { goodAnswers } from '../faults/fault.ts';
import { spawnServer } from '../prove/support/spawned-server.ts';
import { control, createKey } from '../support/control.ts';
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
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { newInstallation } from '../support/serve-process.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { until } from '../support/turns.ts';
import { answerWell, streamThen } from '../support/upstream-scripts.ts';

const PLACES = 64;

interface Refused {
  readonly error: { readonly metadata?: object; readonly details?: object };
}

/** What the error says is lacking, in either format. */
function shortageOf(body: unknown): unknown {
  const { error } = body as Refused;
  const facts = { ...error.metadata, ...error.details } as { shortage?: unknown };
  return facts.shortage;
}

async function othersAnswer({ url, dataFolder }: Pick<OpenBench, 'url' | 'dataFolder'>): Promise<void> {
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    const response = await fetch(url + path);
    assert.equal(response.status, 200, path);
    await response.text();
  }
  assert.equal((await control(dataFolder, 'GET', '/control/api/status')).status, 200);
}

test('five times as many calls as there are places: as many run, the rest is refused in its own format, without a hold', async () => {
  const held = Promise.withResolvers<void>();
  const bench = await openBench({ limits: { inFlightMax: PLACES } }, {}, async (exchange) => {
    await held.promise;
    await answerWell(exchange);
  });
  const keys = [bench.key, await createKey(bench.dataFolder, 'second')];
  const statuses: number[] = [];
  const calls = Array.from({ length: 5 * PLACES }, async (_, number) => {
    const dialect = DIALECTS[number % 2] ?? 'openai-chat';
    const key = keys[number % 3 === 0 ? 1 : 0];
    const response = await bench.post(PATHS[dialect], chatBody(false), { authorization: `Bearer ${key}` });
    const body: unknown = await response.json();
    statuses.push(response.status);
    if (response.status === 200) return;
    assert.equal(response.status, 503);
    assert.equal(errorCode(body), 'overloaded');
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  });
  await until(
    'all but those that run to be answered',
    () => statuses.length + bench.app.gateway.running.count === calls.length,
  );
  assert.ok(bench.app.gateway.running.count <= PLACES);
  await othersAnswer(bench);
  const metrics = await fetch(`${bench.url}/metrics`).then((response) => response.text());
  assert.match(metrics, /^turnpike_shed_total\{shortage="(in_flight|arriving)"\} [1-9]/m);
  held.resolve();
  await Promise.all(calls);
  const served = statuses.filter((status) => status === 200).length;
  assert.ok(served >= PLACES / 2, `${served} were served`);
  assert.equal(bench.upstream.exchanges.length, served);
  await until('the last to leave', () => bench.app.gateway.running.count === 0);
  assert.equal(bench.records.length, served);
  assert.equal(bench.calls.filter(({ hold }) => hold !== null).length, served);
  await bench.close();
});

test('a call of another key and another one of the same account find places while one key has nearly all', async () => {
  const bench = await openBench({ limits: { inFlightMax: PLACES } }, {}, () => new Promise<void>(() => undefined));
  const readers: StreamReader[] = [];
  const sibling = await createKey(bench.dataFolder, 'sibling');
  while (bench.app.gateway.running.count < PLACES - 2) {
    const arrived = bench.upstream.nextExchange();
    readers.push(await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true)));
    await arrived;
  }
  const refused = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.equal(refused.status, 503);
  const body = (await refused.json()) as Refused;
  assert.equal(shortageOf(body), 'in_flight');
  const arrived = bench.upstream.nextExchange();
  readers.push(await StreamReader.open(bench.url, rawCall({ ...bench, key: sibling }, 'openai-chat', true)));
  await arrived;
  for (const reader of readers) reader.leave();
  await until('all to leave', () => bench.app.gateway.running.count === 0);
  await bench.close();
});

describe('a gateway that has more to do than it can', () => {
  for (const [name, figures, shortage] of [
    ['is late', { loopDelayMs: 900, memoryUse: 0.1 }, 'loop_delay'],
    ['has used up its memory', { loopDelayMs: 1, memoryUse: 0.95 }, 'memory'],
  ] as const) {
    test(`${name}: calls are refused before their body is read, the rest is answered, and it ends by itself`, async () => {
      const now = { ...figures };
      const clock = new ManualClock();
      const load = { loopDelayMs: () => now.loopDelayMs, memoryUse: () => now.memoryUse };
      const bench = await openBench({}, { clock, load });
      for (let window = 0; window < 2; window += 1) {
        const response = await bench.post(PATHS['openai-chat'], chatBody(false));
        assert.equal(response.status, 200);
        await response.text();
        clock.advance(500);
      }
      const asked = bench.upstream.exchanges.length;
      for (const dialect of DIALECTS) {
        const connection = await bench.connect();
        // The body never comes.
        await connection.write(rawCall(bench, dialect, false, 'x'.repeat(100_000)).slice(0, 400));
        const answer = await connection.answer();
        assert.match(answer?.startLine ?? '', / 503 /);
        const body: unknown = JSON.parse(answer?.body.toString() ?? '');
        assert.equal(errorCode(body), 'overloaded');
        assert.equal(shortageOf(body), shortage);
        connection.close();
      }
      await othersAnswer(bench);
      const health = (await fetch(`${bench.url}/health`).then((response) => response.json())) as { load: object };
      assert.deepEqual(
        { ...health.load, loop_delay_ms: 0, memory_ratio: 0 },
        {
          calls_running: 0,
          calls_running_max: 12_000,
          calls_admitted_ratio: 0,
          shortage,
          loop_delay_ms: 0,
          memory_ratio: 0,
        },
      );
      assert.equal(bench.upstream.exchanges.length, asked);
      assert.equal(bench.app.gateway.running.count, 0);
      Object.assign(now, { loopDelayMs: 1, memoryUse: 0.1 });
      clock.advance(2_000);
      const served = await bench.post(PATHS['openai-chat'], chatBody(false));
      assert.equal(served.status, 200, await served.text());
      await bench.close();
    });
  }
});

test('256 descriptors and many more idle connections: streams go on, readiness is answered, and calls are served', {
  timeout: 60_000,
}, async () => {
  const frames = goodAnswers['openai-chat'].frames;
  const upstream = await startScriptedUpstream(streamThen(frames.slice(0, 3), () => undefined));
  const installation = await newInstallation({
    providers: [scriptedProvider('scripted', upstream.origin)],
    demo: false,
  });
  const server = spawnServer(installation, { before: ['prlimit', '--nofile=256'] });
  const idle: Socket[] = [];
  try {
    const url = await server.ready;
    assert.ok(url !== null, server.printed());
    const bench = { url, key: installation.key, dataFolder: installation.dataFolder };
    const readers = await Promise.all(
      Array.from({ length: 20 }, () => StreamReader.open(url, rawCall(bench, 'openai-chat', true))),
    );
    await Promise.all(readers.map((reader) => reader.sees('one ')));
    for (let at = 0; at < 600; at += 1) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      idle.push(socket);
      if (at % 100 === 99) await once(socket, 'connect').catch(() => undefined);
    }
    const answers = async (path: string, init: RequestInit, status: number) => {
      for (;;) {
        const response = await fetch(url + path, init).catch(() => null);
        await response?.text();
        if (response?.status === status) return;
      }
    };
    await answers('/health/ready', { headers: { connection: 'close' } }, 200);
    upstream.play(answerWell);
    const headers = { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' };
    await answers(PATHS['openai-chat'], { method: 'POST', headers, body: JSON.stringify(chatBody(false)) }, 200);
    for (const exchange of upstream.exchanges.slice(0, 20)) {
      for (const frame of frames.slice(3)) await exchange.chunk(frame);
      await exchange.lastChunk();
    }
    for (const reader of readers) await reader.sees((text) => endsProperly(text));
    for (const reader of readers) reader.leave();
    assert.equal(server.process.exitCode, null, server.printed());
  } finally {
    for (const socket of idle) socket.destroy();
    await server.kill();
    await upstream.close();
  }
});
