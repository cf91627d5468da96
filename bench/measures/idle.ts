/**
 * What a subject does without calls: CPU time, and how often one of its threads wakes. Each has had some calls, so
 * that there was something to write, and some seconds to do that; then all of them are idle together.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PinnedProcess } from '../pinned-process.ts';
import type { SubjectName } from '../subject.ts';
import { measureCall } from './call.ts';
import type { Bench, Row } from './measure.ts';
import { inStarts } from './rounds.ts';

const CALLS = 2_000;
const SETTLE_MS = 12_000;
const IDLE_SECONDS = 20;

export async function measureIdle(bench: Bench): Promise<Row[]> {
  const seconds = bench.quick ? IDLE_SECONDS / 4 : IDLE_SECONDS;
  const millis: Partial<Record<SubjectName, number>> = {};
  const wakeUps: Partial<Record<SubjectName, number>> = {};
  await inStarts(bench, 1, async (subjects) => {
    for (const subject of subjects) await measureCall(subject, CALLS, 1);
    await sleep(SETTLE_MS);
    const before = subjects.map(({ process }) => usedBy(process));
    await sleep(seconds * 1_000);
    for (const [index, { name, process }] of subjects.entries()) {
      const [then, now] = [before[index], usedBy(process)];
      if (then === undefined || name === 'direct') continue;
      millis[name] = (now.micros - then.micros) / 1_000 / seconds;
      wakeUps[name] = (now.waits - then.waits) / seconds;
    }
  });
  bench.say(`idle for ${seconds} s: ${inWords(millis)} ms of CPU a second; woken ${inWords(wakeUps)} times a second`);
  return [
    { work: 'CPU when idle', unit: 'ms a second', digits: 2, values: millis, rounds: null, target: null },
    {
      work: 'wake-ups of its threads when idle',
      unit: 'a second',
      digits: 1,
      values: wakeUps,
      rounds: null,
      target: null,
    },
  ];
}

function usedBy(process: PinnedProcess | null): { readonly micros: number; readonly waits: number } {
  if (process === null) throw new Error('only a process is idle');
  return { micros: process.cpuMicros(), waits: process.waits() };
}

function inWords(values: Readonly<Partial<Record<SubjectName, number>>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value.toFixed(2)}`)
    .join(' · ');
}
