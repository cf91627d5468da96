/**
 * The bank over its storage, without calls, on one core: how many holds and settlements a second, and how
 * long a caller waits for them at a moderate rate. Each round has a separate process and database.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Busy, LedgerWork, Waits } from '../load/ledger-load.ts';
import { temporaryFolder } from '../loopback.ts';
import { startPinned, subjectCore } from '../pinned-process.ts';
import { median } from '../statistics.ts';
import { nodeFlags } from '../turnpike-subject.ts';
import type { Bench, Row } from './measure.ts';

/** The moderate rate. */
const WAITS_PER_SECOND = 5_000;
const PER_SECOND_LEAST = 50_000;
const MEDIAN_MS_MOST = 1;
const P99_MS_MOST = 10;

export async function measureSettlements(bench: Bench): Promise<Row[]> {
  const rounds = bench.quick ? 2 : 5;
  const forMs = bench.quick ? 1_500 : 4_000;
  const seen = { whole: [] as Busy[], streamed: [] as Busy[], waits: [] as Waits[] };
  for (let round = 1; round <= rounds; round += 1) {
    const whole = (await run(bench, 'whole', forMs)) as Busy;
    const streamed = (await run(bench, 'streamed', forMs)) as Busy;
    const waits = (await run(bench, 'waits', forMs)) as Waits;
    seen.whole.push(whole);
    seen.streamed.push(streamed);
    seen.waits.push(waits);
    bench.say(
      `holds and settlements, round ${round} of ${rounds}: whole ${words(whole)} · streamed ${words(streamed)} · ` +
        `waits ${waits.medianMs.toFixed(2)} ms, p99 ${waits.p99Ms.toFixed(2)} ms`,
    );
  }
  return [
    busyRow('hold + settlement of whole calls, one core', seen.whole),
    busyRow('hold made durable + settlement of streamed calls, one core', seen.streamed),
    waitRow(
      'median',
      seen.waits.map(({ medianMs }) => medianMs),
      MEDIAN_MS_MOST,
    ),
    waitRow(
      '99th percentile',
      seen.waits.map(({ p99Ms }) => p99Ms),
      P99_MS_MOST,
    ),
  ];
}

function words({ perSecond, cpuMicros }: Busy): string {
  return `${Math.round(perSecond).toLocaleString('en')} a second (${cpuMicros.toFixed(1)} µs)`;
}

function busyRow(work: string, seen: readonly Busy[]): Row {
  const rounds = seen.map(({ perSecond }) => perSecond);
  return {
    work,
    unit: 'a second',
    digits: 0,
    values: { turnpike: median(rounds) },
    rounds: { turnpike: rounds },
    target: { type: 'at-least', least: PER_SECOND_LEAST },
  };
}

function waitRow(label: string, rounds: readonly number[], most: number): Row {
  const rate = WAITS_PER_SECOND.toLocaleString('en');
  return {
    work: `wait of a streamed call for hold and settlement at ${rate} a second, ${label}`,
    unit: 'ms',
    digits: 2,
    values: { turnpike: median(rounds) },
    rounds: { turnpike: rounds },
    target: { type: 'absolute', most },
  };
}

async function run(bench: Bench, work: LedgerWork, forMs: number): Promise<unknown> {
  const folder = temporaryFolder('ledger');
  const program = join(import.meta.dirname, '..', 'load', 'ledger-load.ts');
  const parameters = [folder, work, String(forMs), String(WAITS_PER_SECOND)];
  const child = startPinned(subjectCore, process.execPath, [...nodeFlags(bench), program, ...parameters]);
  try {
    const [, result = ''] = await child.printed(/^result (.*)$/m);
    await child.ended();
    return JSON.parse(result);
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
