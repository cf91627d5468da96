/** The rows of the fault table that take longer than a test may: each returns figures, and notes what callers got. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import type { RowNotes } from '../../faults/rows/fault-row.ts';
import { control } from '../../support/control.ts';
import { type AnyLane, laneRequest } from '../../support/ledger-bench.ts';
import { outcomeOf } from '../../support/ledger-outcome.ts';
import { endsProperly, errorCode } from '../../support/open-gateway.ts';
import { until } from '../../support/turns.ts';
import { bodiesAtOnce, bodiesHold, describeBodies } from './bodies-at-once.ts';
import type { SettledCall } from './ledger-file.ts';
import { type LiveStreams, withLiveStreams } from './live-streams.ts';
import { verifyClean } from './verify-clean.ts';

const MIB = 1024 * 1024;
const STREAMS = 500;
const READY_503_WITHIN_MS = 100;

/** Waits for the end of each stream; returns how many did not come to their proper end. */
async function brokenOf({ readers }: LiveStreams): Promise<number> {
  await until('the end of every stream', () => readers.every(({ text }) => text.includes('\r\n0\r\n')));
  return readers.filter(({ text }) => !endsProperly(text)).length;
}

function noteLedger(row: RowNotes, settled: readonly SettledCall[], calls: number): void {
  assert.equal(settled.length, calls, 'a final row per call');
  assert.equal(new Set(settled.map(({ id }) => id)).size, calls);
  for (const each of settled) row.ledger.add(outcomeOf(each));
}

/** SIGTERM: streams come to their end, new calls are refused, and what has not ended at the deadline ends with an event. */
export async function drainWithStreams(row: RowNotes): Promise<string> {
  let readyMs = 0;
  let drainMs = 0;
  const ended = await withLiveStreams({ streams: STREAMS }, async (live) => {
    const startedAt = performance.now();
    live.server.process.kill('SIGTERM');
    let status = 200;
    while (status !== 503) {
      status = (await fetch(`${live.url}/health/ready`).catch(() => ({ status: 503 }))).status;
      readyMs = performance.now() - startedAt;
      assert.ok(readyMs < 1_000, 'it still says that it is ready');
    }
    await expectDraining(live);
    live.goOn();
    assert.equal(await brokenOf(live), 0, 'streams broke');
    await live.server.gone;
    drainMs = performance.now() - startedAt;
    assert.equal(live.server.process.exitCode, 0, live.server.printed());
  });
  assert.ok(readyMs < READY_503_WITHIN_MS, `${readyMs} ms until it said that it is not ready`);
  noteLedger(row, ended, STREAMS);
  row.note('the answer, if it ends before the deadline', 'LP');
  row.note('503 `draining` for a new call', 'L0');
  const cut = await withLiveStreams({ streams: 45, file: { timeouts: { drainMs: 1_000 } } }, async (live) => {
    live.server.process.kill('SIGTERM');
    await live.server.gone;
    assert.equal(live.server.process.exitCode, 0);
    for (const { text } of live.readers) {
      assert.match(text, /draining/);
      assert.equal(endsProperly(text), false);
    }
  });
  for (const { ending } of cut) assert.equal(ending, 'drained');
  noteLedger(row, cut, 45);
  row.note('200, then `draining` as the last event, at the deadline', 'LE');
  return `SIGTERM with ${STREAMS} streams: not ready after ${readyMs.toFixed(0)} ms, 0 broken, exit 0 after ${drainMs.toFixed(0)} ms`;
}

async function expectDraining({ url, key }: LiveStreams): Promise<void> {
  const { path, body } = laneRequest('openai-chat', 'lanes/openai-chat', false, 9);
  const refused = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(refused.status, 503);
  assert.equal(errorCode(await refused.json()), 'draining');
}

const CHANGES = 100;

/** A provider's prices change a hundred times while streams run on it, and new ones begin between the changes. */
export async function pricesUnderLoad(row: RowNotes): Promise<string> {
  const lanes = (['openai-chat', 'anthropic-messages', 'openai-responses', 'gemini'] as const).map(
    (dialect): AnyLane => ({ name: dialect, dialect, upstream: 'openai-chat', model: 'priced/model' }),
  );
  const settings = (input: number) => ({
    model_settings: [{ upstream: 'scripted-1', id: 'priced/model', price: { input: String(input), output: '5' } }],
  });
  const settled = await withLiveStreams(
    {
      streams: STREAMS,
      lanes,
      async prepare({ dataFolder, origin }) {
        const provider = { name: 'priced', kind: 'custom', origin, credential: 'credential-of-priced', ...settings(1) };
        const { status, body } = await control(dataFolder, 'POST', '/control/api/providers', provider);
        assert.equal(status, 201, JSON.stringify(body));
      },
    },
    async (live) => {
      for (let change = 1; change <= CHANGES; change += 1) {
        const { status, body } = await control(
          live.dataFolder,
          'PATCH',
          '/control/api/providers/priced',
          settings(1 + change),
        );
        assert.equal(status, 200, JSON.stringify(body));
        await live.begin(lanes[change % lanes.length] as AnyLane);
      }
      live.goOn();
      assert.equal(await brokenOf(live), 0, 'streams broke');
      await verifyClean(live.dataFolder);
      live.server.process.kill('SIGTERM');
      await live.server.gone;
    },
  );
  // Each answer reports five tokens of its prompt and four of output: the price of its input shows when it was admitted.
  const inputs = settled.map(({ charge }) => Number(charge - 4n * 5_000n) / 5_000);
  assert.equal(inputs.filter((price) => price === 1).length, STREAMS, 'what ran keeps its price');
  const later = inputs.filter((price) => price !== 1).sort((one, other) => one - other);
  assert.deepEqual(
    later,
    Array.from({ length: CHANGES }, (_, index) => index + 2),
    'what came later has the new one',
  );
  noteLedger(row, settled, STREAMS + CHANGES);
  row.note('the answer, at the price of when the call was admitted', 'LP');
  return `${CHANGES} changes of prices under ${STREAMS} streams: 0 broken, every call at the price of its admission`;
}

/** Bodies that would not fit into a heap of 512 MiB: they are refused, and nothing is killed. */
export async function littleMemory(row: RowNotes): Promise<string> {
  const size = { bodies: 60, bodyBytes: 31 * MIB, memoryBytes: 256 * MIB, environment: HEAP };
  const outcome = await bodiesAtOnce({ ...size, stalled: false });
  const failure = bodiesHold(outcome, { memoryBytes: 2 * size.memoryBytes });
  assert.equal(failure, null, failure ?? '');
  row.note('the answer, or 503 `overloaded` with `Retry-After`', 'L0');
  row.ledger.add('LP');
  return `a heap of 512 MiB: ${describeBodies(outcome)}`;
}

const HEAP = { NODE_OPTIONS: '--max-old-space-size=512' } as const;

const IDLE = 10_000;
const DESCRIPTORS = 256;

/** More connections than there are descriptors: live streams go on, and calls are served again once the connections are gone. */
export async function fewDescriptors(row: RowNotes): Promise<string> {
  let most = 0;
  const settled = await withLiveStreams(
    { streams: 40, spawn: { before: ['prlimit', `--nofile=${DESCRIPTORS}`] } },
    async (live) => {
      const { hostname, port } = new URL(live.url);
      const idle: Socket[] = [];
      for (let opened = 0; opened < IDLE; opened += 1) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        idle.push(socket);
        // As many as one machine may open against it, not more at once than this process may have.
        if (idle.length >= 1_000) idle.shift()?.destroy();
        if (opened % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      most = idle.length;
      live.goOn();
      assert.equal(await brokenOf(live), 0, 'live streams broke');
      for (const socket of idle) socket.destroy();
      await until('calls again', () => live.server.process.exitCode === null);
      const again = await live.begin(LANE);
      assert.ok(endsProperly(again.text));
      live.server.process.kill('SIGTERM');
      await live.server.gone;
      assert.equal(live.server.process.exitCode, 0, live.server.printed());
    },
  );
  noteLedger(row, settled, 41);
  row.note('the answers that run; no new connection until there is room', 'LP');
  return `${IDLE} connections at ${DESCRIPTORS} descriptors, up to ${most} at once: 40 streams ended whole, calls served afterwards`;
}

const LANE: AnyLane = { name: 'chat', dialect: 'openai-chat', upstream: 'openai-chat', model: 'lanes/openai-chat' };
