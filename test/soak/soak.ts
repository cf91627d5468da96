/** Mixed calls at a rate for a long time, a fifth of which leave, and what the gateway's process has of it afterwards. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { openLoop } from '../../bench/load/pace.ts';
import { ledgerCounts } from '../prove/support/load/ledger-counts.ts';
import { CallerPool, type Format, type Outcome, quantile, requestBytes } from '../prove/support/load/load-caller.ts';
import { LOAD_MODEL, loadProvider, promptOf, startPacedProvider } from '../prove/support/load/paced-provider.ts';
import { pause } from '../prove/support/load/pause.ts';
import { spawnServer } from '../prove/support/spawned-server.ts';
import { verifyClean } from '../prove/support/verify-clean.ts';
import { newInstallation } from '../support/serve-process.ts';
import { type Point, robustSlope } from './robust-slope.ts';

export interface SoakOptions {
  readonly perSecond: number;
  readonly forMs: number;
  /** Not judged: caches fill, code is compiled. */
  readonly warmUpMs: number;
}

export interface SoakFigures {
  readonly seconds: number;
  readonly asked_per_second: number;
  /** What this machine could carry, load generator included. */
  readonly calls_per_second: number;
  readonly calls: number;
  readonly left: number;
  readonly refused: number;
  /** Neither answered whole, nor refused, nor left. */
  readonly failed: number;
  readonly whole_p50_ms: number;
  readonly whole_p99_ms: number;
  readonly rss_first_mib: number;
  readonly rss_last_mib: number;
  readonly rss_slope_mib_per_hour: number;
  readonly descriptors_before: number;
  readonly descriptors_after: number;
  readonly upstream_connections_after: number;
  /** How long after the last call they were back, s; null if they were not within ten. */
  readonly back_after_seconds: number | null;
  readonly settlements: number;
}

const MIB = 1024 * 1024;
const SAMPLE_MS = 2_000;
const CALIBRATION_MS = 8_000;
const RATE_MIN = 10;
const SLOW_MS = 2_000;
const LEAVE_PART = 0.2;
const BACK_MS = 10_000;
/** Only takes chat completions, so that callers of Messages are translated for. */
const TRANSLATED_MODEL = 'chat/model';
const STREAM = { pieces: 5, pauseMs: 40 };
const WHOLE = { pieces: 1, pauseMs: 100 };

export async function soak({ perSecond, forMs, warmUpMs }: SoakOptions): Promise<SoakFigures> {
  const provider = await startPacedProvider();
  const chatOnly = { ...loadProvider(provider.origin), name: 'chat', dialects: ['openai-chat'] };
  const models = [{ id: TRANSLATED_MODEL, upstream: 'load-1', prices: { input: 1, output: 5 }, outputCap: 10_000 }];
  const installation = await newInstallation({
    demo: false,
    providers: [loadProvider(provider.origin), { ...chatOnly, models }],
    log: { level: 'warn' },
  });
  const server = spawnServer(installation);
  try {
    const url = await server.ready;
    assert.ok(url !== null, server.printed());
    const pid = server.process.pid ?? 0;
    const requests = makeRequests(installation.key);
    let turn = 0;
    /** Calls at a rate; resolves with what came of them. */
    const load = async (rate: number, ms: number, seen: (outcome: Outcome) => void) => {
      const pool = new CallerPool(url);
      const pending = new Set<Promise<void>>();
      await openLoop(rate, ms, (dueMs) => {
        const { bytes, stream } = requests[turn % requests.length] as (typeof requests)[number];
        turn += 1;
        const leaves = Math.random() < LEAVE_PART ? { leavesAfterMs: Math.random() * 250 } : {};
        const call = pool.call(bytes, { stream, ...leaves }, dueMs).then((outcome) => {
          pending.delete(call);
          seen(outcome);
        });
        pending.add(call);
      });
      await Promise.all(pending);
      pool.close();
    };

    await load(Math.min(perSecond, 50), 2_000, () => undefined);
    await pause(BACK_MS);
    const descriptorsBefore = descriptors(pid);
    const rate = await calibrate(perSecond, load);

    const counts = { calls: 0, left: 0, refused: 0, failed: 0 };
    // A sample of the times: an hour has millions.
    const wholeMs: number[] = [];
    const rss: Point[] = [];
    const startMs = performance.now();
    const sampling = setInterval(
      () => rss.push({ x: performance.now() - startMs, y: residentBytes(pid) / MIB }),
      SAMPLE_MS,
    );
    await load(rate, forMs, (outcome) => {
      counts.calls += 1;
      if (outcome.left) counts.left += 1;
      else if (outcome.status === 503) counts.refused += 1;
      else if (!outcome.whole || outcome.status !== 200) counts.failed += 1;
      else if (counts.calls % 20 === 0) wholeMs.push(outcome.ms);
    });
    clearInterval(sampling);
    const judged = rss.filter(({ x }) => x >= warmUpMs);

    const endMs = performance.now();
    let back: number | null = null;
    let [after, upstream] = [descriptors(pid), Number.NaN];
    while (back === null && performance.now() - endMs < BACK_MS) {
      await pause(250);
      after = descriptors(pid);
      upstream = (await provider.counts()).connections;
      if (after <= descriptorsBefore && upstream === 0) back = (performance.now() - endMs) / 1000;
    }
    const { holds, settlements } = await ledgerCounts(installation.dataFolder);
    assert.equal(holds, 0);
    await verifyClean(installation.dataFolder);
    server.process.kill('SIGTERM');
    await server.gone;
    assert.equal(server.process.exitCode, 0, server.printed());
    return {
      seconds: Math.round(forMs / 1000),
      asked_per_second: perSecond,
      calls_per_second: rate,
      ...counts,
      whole_p50_ms: round(quantile(wholeMs, 0.5)),
      whole_p99_ms: round(quantile(wholeMs, 0.99)),
      rss_first_mib: round(judged[0]?.y ?? Number.NaN),
      rss_last_mib: round(judged.at(-1)?.y ?? Number.NaN),
      rss_slope_mib_per_hour: round(robustSlope(thinned(judged)) * 3_600_000),
      descriptors_before: descriptorsBefore,
      descriptors_after: after,
      upstream_connections_after: upstream,
      back_after_seconds: back === null ? null : round(back),
      settlements,
    };
  } finally {
    await server.kill();
    await provider.close();
  }
}

type Load = (rate: number, ms: number, seen: (outcome: Outcome) => void) => Promise<void>;

/** Halves the rate until the machine carries it: nearly nothing refused or slow. */
async function calibrate(perSecond: number, load: Load): Promise<number> {
  for (let rate = perSecond; ; rate = Math.floor(rate / 2)) {
    let [calls, bad] = [0, 0];
    await load(rate, CALIBRATION_MS, ({ status, ms, left }) => {
      calls += 1;
      if (status === 503 || (!left && ms > SLOW_MS)) bad += 1;
    });
    if (bad <= 0.02 * calls) return rate;
    assert.ok(rate > RATE_MIN, 'this machine carries nothing');
  }
}

function makeRequests(key: string): { readonly bytes: Buffer; readonly stream: boolean }[] {
  const formats: readonly Format[] = ['openai-chat', 'anthropic-messages'];
  return formats.flatMap((format) =>
    [LOAD_MODEL, TRANSLATED_MODEL].flatMap((model) =>
      [true, false].map((stream) => ({
        stream,
        bytes: requestBytes(model, { key, format, stream, prompt: promptOf(stream ? STREAM : WHOLE) }),
      })),
    ),
  );
}

/** At most some hundreds, because each is compared with each. */
function thinned(points: readonly Point[]): readonly Point[] {
  const every = Math.ceil(points.length / 600);
  return points.filter((_, at) => at % every === 0);
}

function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
function residentBytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
