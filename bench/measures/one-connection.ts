/**
 * One call at a time over one connection: CPU time that is not shared among many calls, and a call's
 * system calls. The count depends only on what the program does, so it shows a small change where time would not.
 */

import { wholeAnswer } from '../bodies.ts';
import { CHAT } from '../dialects.ts';
import { callRepeatedly, checkAnswer, expectSuccess, openConnections, requestBytes } from '../load/load.ts';
import type { Subject, SubjectName } from '../subject.ts';
import { countOf, countSystemCalls, type SystemCalls } from '../system-calls.ts';
import { FIRST_WARM_UP, measureCall } from './call.ts';
import type { Bench, Row } from './measure.ts';
import { inRounds, inStarts, medians, type Rounds, repeats, wordsOf } from './rounds.ts';

const WARM_UP = 1_000;
const CALLS = 5_000;
const TRACED_CALLS = 2_000;
/** SQLite's locks, and its reading, writing and syncing of pages. Sockets have calls of other names. */
const ON_FILES: ReadonlySet<string> = new Set(['fcntl', 'pread64', 'pwrite64', 'fsync', 'fdatasync', 'ftruncate']);

export async function measureOneConnection(bench: Bench): Promise<Row[]> {
  const { starts, rounds: count } = repeats(bench);
  let micros: Rounds = {};
  const all = new Counts();
  const onFiles = new Counts();
  await inStarts(bench, starts, async (subjects, words) => {
    for (const subject of subjects) {
      await checkAnswer(subject, CHAT, 'whole');
      await measureCall(subject, bench.quick ? 8_000 : FIRST_WARM_UP, 1);
    }
    micros = await inRounds(bench, subjects, count, micros, (subject) => measureOneAtATime(subject, bench.quick));
    bench.say(`CPU per call, one at a time, ${words}: ${wordsOf(micros, count)}`);
    for (const subject of subjects) {
      const calls = await trace(subject);
      if (calls === null || subject.name === 'direct') continue;
      all.add(subject.name, countOf(calls) / TRACED_CALLS);
      if (subject.name === 'turnpike') onFiles.add(subject.name, countOf(calls, ON_FILES) / TRACED_CALLS);
      bench.say(`system calls of ${TRACED_CALLS} calls, ${subject.name}: ${inWords(calls)}`);
    }
  });
  return [
    row('CPU per non-streamed call, one at a time', 'µs', micros),
    row(`system calls per call, one at a time${all.remark()}`, '', all.rounds),
    row(`of them on files, SQLite's${onFiles.remark()}`, '', onFiles.rounds),
  ];
}

/** Microseconds of CPU per call. */
export function measureOneAtATime(subject: Subject, quick: boolean): Promise<number> {
  const { process: measured } = subject;
  if (measured === null) throw new Error('only a process has CPU time');
  const calls = quick ? CALLS / 5 : CALLS;
  return oneAtATime(subject, async (call) => {
    await call(WARM_UP);
    const before = measured.cpuMicros();
    await call(calls);
    return (measured.cpuMicros() - before) / calls;
  });
}

function trace(subject: Subject): Promise<SystemCalls | null> {
  const { process: measured } = subject;
  if (measured === null) throw new Error('only a process makes system calls');
  return oneAtATime(subject, async (call) => {
    await call(WARM_UP);
    return countSystemCalls(measured, () => call(TRACED_CALLS));
  });
}

/** Passes `work` a function that makes the given number of calls, one after the other. */
async function oneAtATime<Result>(
  subject: Subject,
  work: (call: (times: number) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const request = requestBytes(subject, CHAT, 'whole');
  const bytesMin = wholeAnswer(CHAT).length - 64;
  const connections = await openConnections(subject.port, 1);
  try {
    return await work((times) =>
      callRepeatedly(connections, request, times, (answered) => expectSuccess(subject, answered, bytesMin)),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** One a start. */
class Counts {
  rounds: Rounds = {};

  add(name: SubjectName, count: number): void {
    this.rounds = { ...this.rounds, [name]: [...(this.rounds[name] ?? []), count] };
  }

  remark(): string {
    return Object.keys(this.rounds).length > 0 ? '' : ' (not measured: strace is missing or may not trace)';
  }
}

function inWords(calls: SystemCalls): string {
  const sorted = [...calls].sort(([, left], [, right]) => right - left);
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ');
}

function row(work: string, unit: string, rounds: Rounds): Row {
  return { work, unit, digits: 1, values: medians(rounds), rounds, target: null };
}
