/**
 * Five times as many calls as a small gateway can serve, offered at a rate by callers of several keys, one of them modest; and what
 * came of them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openLoop } from '../../../bench/load/pace.ts';
import { createKey } from '../../support/control.ts';
import { newInstallation } from '../../support/serve-process.ts';
import { ledgerCounts } from './load/ledger-counts.ts';
import { CallerPool, type Format, type Outcome, quantile, requestBytes } from './load/load-caller.ts';
import { LoadTally } from './load/load-tally.ts';
import { ownCores } from './load/own-cores.ts';
import { LOAD_MODEL, loadProvider, promptOf, startPacedProvider } from './load/paced-provider.ts';
import { pause } from './load/pause.ts';
import { type SpawnOptions, spawnServer } from './spawned-server.ts';
import { verifyClean } from './verify-clean.ts';

export interface OverloadOptions {
  readonly inFlightMax: number;
  /** How long the provider takes for an answer. */
  readonly answerMs: number;
  /** How many times as much as can be served is offered. */
  readonly times: number;
  readonly forMs: number;
  readonly server?: SpawnOptions;
}

export interface OverloadFigures {
  /**
   * Calls a second: what the places allow if nothing but the provider takes time; what as many callers as there are places get who
   * call again as soon as they have their answer; what was served during the overload, and what was offered.
   */
  readonly possible: number;
  readonly capacity: number;
  readonly goodput: number;
  readonly offered: number;
  /** Of admitted calls, ms: without an overload and during it. */
  readonly calmP99: number;
  readonly p99: number;
  /** Of refused calls, ms. */
  readonly shedP50: number;
  readonly shedP99: number;
  readonly served: number;
  readonly shed: number;
  readonly broken: number;
  /** Refused calls by what was lacking. */
  readonly shortages: Readonly<Record<string, number>>;
  /** The part of the modest key's calls that was served. */
  readonly modest: number;
  /** The longest that the readiness took meanwhile, ms. */
  readonly readyMs: number;
  /** How many calls ran, in the mean. */
  readonly running: number;
  /** Processor time meanwhile, in cores: of the gateway, and of the callers with the provider. */
  readonly cores: number;
  readonly loadCores: number;
}

/** More callers at once than the gateway has places for, by far. */
const CONNECTIONS_MAX = 1_000;
/** A caller that was refused does not call again at once. */
const REFUSED_PAUSE_MS = 10;
const WARM_UP_MS = 2_000;
const CALM_MS = 3_000;
/** Of the capacity, by key: the rest is offered by the first, as a flood. */
const MODEST_PART = 0.1;
const SECOND_PART = 0.9;
const FORMATS: readonly Format[] = ['openai-chat', 'anthropic-messages'];

export async function overload(options: OverloadOptions): Promise<OverloadFigures> {
  const { inFlightMax, answerMs, times, forMs } = options;
  const serverCore = ownCores();
  const provider = await startPacedProvider();
  const installation = await newInstallation({
    demo: false,
    providers: [loadProvider(provider.origin)],
    limits: { inFlightMax, loopDelayMs: 100 },
    log: { level: 'warn' },
  });
  const before = [...(options.server?.before ?? []), ...serverCore];
  const server = spawnServer(installation, { ...options.server, before });
  try {
    const url = await server.ready;
    assert.ok(url !== null, server.printed());
    const { dataFolder, key } = installation;
    const [second, modest] = [await createKey(dataFolder, 'second'), await createKey(dataFolder, 'modest')];
    const pool = new CallerPool(url, CONNECTIONS_MAX);
    const prompt = promptOf({ pieces: 1, pauseMs: answerMs });
    const requests = new Map(
      [key, second, modest].map((one) => [
        one,
        FORMATS.map((format) => requestBytes(LOAD_MODEL, { key: one, format, stream: false, prompt })),
      ]),
    );
    let turn = 0;
    const call = (from: string, dueMs: number): Promise<Outcome> => {
      turn += 1;
      const request = requests.get(from)?.[turn % FORMATS.length];
      assert.ok(request);
      return pool.call(request, { stream: false }, dueMs);
    };

    const inTurn = () => call([key, second, modest][turn % 3] ?? key, performance.now());
    await closedLoop(inFlightMax, WARM_UP_MS, inTurn);
    const full = await closedLoop(inFlightMax, CALM_MS, inTurn);
    const calm = await closedLoop(Math.ceil(inFlightMax / 8), CALM_MS, () => call(key, performance.now()));
    const possible = (inFlightMax * 1000) / answerMs;

    const [ofFlood, ofSecond, ofModest] = [new LoadTally(), new LoadTally(), new LoadTally()];
    const all = [ofFlood, ofSecond, ofModest];
    let open = 0;
    const offer = (from: string, perSecond: number, tally: LoadTally) =>
      openLoop(perSecond, forMs, (dueMs) => {
        open += 1;
        void call(from, dueMs).then((outcome) => {
          open -= 1;
          tally.note(outcome);
        });
      });
    const watching = watch(url);
    const cpuMs = processorMs(server.process.pid ?? 0);
    const loadCpuMs = processorMs(process.pid) + processorMs(provider.pid);
    const startMs = performance.now();
    await Promise.all([
      offer(key, (times - SECOND_PART - MODEST_PART) * possible, ofFlood),
      offer(second, SECOND_PART * possible, ofSecond),
      offer(modest, MODEST_PART * possible, ofModest),
    ]);
    const offeredMs = performance.now() - startMs;
    const cores = (processorMs(server.process.pid ?? 0) - cpuMs) / offeredMs;
    const loadCores = (processorMs(process.pid) + processorMs(provider.pid) - loadCpuMs) / offeredMs;
    while (open > 0) await pause(10);
    const { readyMs, running } = await watching.stop();
    for (const { strange } of all) assert.equal(strange, null, JSON.stringify(strange));
    const servedMs = all.flatMap((tally) => tally.servedMs);
    const shedMs = all.flatMap((tally) => tally.shedMs);

    // A refused call had no hold and reached no provider: there are as many settlements and requests as answers.
    const counts = await ledgerCounts(dataFolder);
    assert.equal(counts.settlements, (await provider.counts()).requests);
    assert.equal(counts.holds, 0);
    await recovers(url, () => call(key, performance.now()));
    await verifyClean(dataFolder);
    pool.close();
    assert.equal(server.process.exitCode, null, server.printed());
    server.process.kill('SIGTERM');
    await server.gone;
    assert.equal(server.process.exitCode, 0, server.printed());
    return {
      possible,
      capacity: (full.filter(({ status }) => status === 200).length * 1000) / CALM_MS,
      goodput: (servedMs.length * 1000) / offeredMs,
      offered: (all.reduce((sum, tally) => sum + tally.all, 0) * 1000) / offeredMs,
      calmP99: quantile(
        calm.map(({ ms }) => ms),
        0.99,
      ),
      p99: quantile(servedMs, 0.99),
      shedP50: quantile(shedMs, 0.5),
      shedP99: quantile(shedMs, 0.99),
      served: servedMs.length,
      shed: shedMs.length,
      broken: all.reduce((sum, { broken }) => sum + broken, 0),
      modest: ofModest.servedMs.length / ofModest.all,
      readyMs,
      running,
      cores,
      loadCores,
      shortages: sumOf(all.map(({ shortages }) => shortages)),
    };
  } finally {
    await server.kill();
    await provider.close();
  }
}

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((each) => Object.entries(each))) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, in ticks of 10 ms */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Callers that each call again as soon as they have their answer. */
async function closedLoop(callers: number, forMs: number, call: () => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const untilMs = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < untilMs) {
        const outcome = await call();
        outcomes.push(outcome);
        if (outcome.status !== 200) await pause(REFUSED_PAUSE_MS);
      }
    }),
  );
  return outcomes;
}

interface Watched {
  /** The longest that an answer took, ms. */
  readonly readyMs: number;
  /** Calls that ran, in the mean. */
  readonly running: number;
}

/** Asks whether it is ready and how many calls run, over and over. */
function watch(url: string): { stop(): Promise<Watched> } {
  let isOver = false;
  let readyMs = 0;
  const counts: number[] = [];
  const watching = (async () => {
    while (!isOver) {
      const startMs = performance.now();
      const response = await fetch(`${url}/health`, { headers: { connection: 'close' } }).catch(() => null);
      const health = (await response?.json()) as { load: { calls_running: number } } | undefined;
      readyMs = response?.status === 200 ? Math.max(readyMs, performance.now() - startMs) : Number.POSITIVE_INFINITY;
      if (health !== undefined) counts.push(health.load.calls_running);
      await pause(WATCH_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { readyMs, running: counts.reduce((sum, count) => sum + count, 0) / counts.length };
    },
  };
}

const WATCH_MS = 100;
const RECOVERY_MS = 5_000;
const CALLS_AFTERWARDS = 20;

/** Throws unless calls are served again soon after the load has gone. */
async function recovers(url: string, call: () => Promise<Outcome>): Promise<void> {
  const untilMs = performance.now() + RECOVERY_MS;
  let served = 0;
  while (served < CALLS_AFTERWARDS) {
    assert.ok(performance.now() < untilMs, `${served} calls were served in ${RECOVERY_MS} ms after the load at ${url}`);
    served = (await call()).status === 200 ? served + 1 : 0;
  }
}

export function describeOverload(figures: OverloadFigures): string {
  const { possible, capacity, goodput, offered, calmP99, p99, shedP50, shedP99 } = figures;
  const { served, shed, broken, modest, readyMs, running, cores, loadCores, shortages } = figures;
  const reasons = Object.entries(shortages).map(([name, calls]) => `${calls} ${name}`);
  return [
    `${offered.toFixed(0)} calls/s offered, ${goodput.toFixed(0)} served: ${percent(goodput / capacity)} of the ${capacity.toFixed(0)} without an overload, ${percent(goodput / possible)} of the ${possible.toFixed(0)} that the places allow`,
    `${running.toFixed(1)} running in the mean`,
    `p99 ${p99.toFixed(0)} ms, ${calmP99.toFixed(0)} without load`,
    `${shed} refused (${reasons.join(', ')}) in ${shedP50.toFixed(1)} ms, p99 ${shedP99.toFixed(1)}`,
    `${served} served, ${broken} connections closed`,
    `modest key ${percent(modest)} served`,
    `ready within ${readyMs.toFixed(0)} ms`,
    `the gateway used ${cores.toFixed(2)} cores, the load ${loadCores.toFixed(2)}`,
  ].join('; ');
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}
