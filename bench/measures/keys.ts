/**
 * An installation with a million keys: how long it takes to be ready, what the keys take in memory (the difference
 * to the same program with one key), and how long the check of a random one takes, which is rarely a recent one.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Checks } from '../load/check-keys.ts';
import { startPinned, subjectCore } from '../pinned-process.ts';
import { type Installation, nodeFlags, prepareTurnpike, serveTurnpike } from '../turnpike-subject.ts';
import type { Bench, Row } from './measure.ts';

const KEYS = 1_000_000;
const CHECKS = 200_000;
const CHECK_PATIENCE_MS = 180_000;
const SETTLE_MS = 3_000;
const MIB = 1024 * 1024;
const READY_SECONDS_MOST = 10;
const MIRROR_MIB_MOST = 500;
const CHECK_MICROS_MOST = 50;

export async function measureKeys(bench: Bench): Promise<Row[]> {
  const count = bench.quick ? KEYS / 10 : KEYS;
  const named = count.toLocaleString('en');
  bench.say(`making ${named} keys`);
  const few = prepareTurnpike(bench.backend);
  const many = prepareTurnpike(bench.backend, { keys: count });
  try {
    const one = await boot(bench, few);
    const all = await boot(bench, many);
    const checks = await check(bench, many, count);
    const mirrorBytes = all.residentBytes - one.residentBytes;
    bench.say(
      `${named} keys: ready in ${seconds(all.readyMs)} (${seconds(all.readyCpuMs)} of CPU; ` +
        `one key ${seconds(one.readyMs)}, ${seconds(one.readyCpuMs)}), ` +
        `${Math.round(mirrorBytes / MIB)} MiB, check ${checks.medianMicros.toFixed(1)} µs, p99 ${checks.p99Micros.toFixed(1)} µs`,
    );
    return [
      row(`start to ready with ${named} keys`, 's', 1, all.readyMs / 1000, READY_SECONDS_MOST),
      row(`memory of ${named} keys`, 'MiB', 0, mirrorBytes / MIB, MIRROR_MIB_MOST),
      row(`check of a random key of ${named}, median`, 'µs', 1, checks.medianMicros, null),
      row(`check of a random key of ${named}, 99th percentile`, 'µs', 1, checks.p99Micros, CHECK_MICROS_MOST),
    ];
  } finally {
    few.remove();
    many.remove();
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function row(work: string, unit: string, digits: number, turnpike: number, most: number | null): Row {
  const target = most === null ? null : ({ type: 'absolute', most } as const);
  return { work, unit, digits, values: { turnpike }, rounds: null, target };
}

interface Booted {
  readonly readyMs: number;
  readonly readyCpuMs: number;
  readonly residentBytes: number;
}

async function boot({ profileFolder }: Bench, installation: Installation): Promise<Booted> {
  const options = { profileFolder, watchLoop: false, countStatements: false, ledger: 'kept' } as const;
  const { subject, readyMs } = await serveTurnpike(installation, options);
  try {
    const { process: measured } = subject;
    if (measured === null) throw new Error('only a process has memory');
    const readyCpuMs = measured.cpuMicros() / 1000;
    await sleep(SETTLE_MS);
    return { readyMs, readyCpuMs, residentBytes: measured.residentBytes() };
  } finally {
    await subject.stop();
  }
}

async function check(bench: Bench, { folder, flags }: Installation, keys: number): Promise<Checks> {
  const program = join(import.meta.dirname, '..', 'load', 'check-keys.ts');
  const parameters = [...flags, '--keys', String(keys), '--checks', String(CHECKS)];
  const child = startPinned(subjectCore, process.execPath, [...nodeFlags(bench), program, ...parameters], { folder });
  try {
    const [, result = ''] = await child.printed(/^result (.*)$/m, CHECK_PATIENCE_MS);
    await child.ended();
    return JSON.parse(result) as Checks;
  } finally {
    await child.stop();
  }
}
