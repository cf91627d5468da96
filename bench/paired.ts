/**
 * `npm run bench -- --before <folder>`: this Turnpike against that of another checkout, in turns in one run, which
 * decides whether a change costs speed (decision 0021). The packages of the other checkout must be installed there.
 */
import { CHAT, type DialectName, dialectsOf } from './dialects.ts';
import { checkAnswer, type Lane } from './load/load.ts';
import { FIRST_WARM_UP, measureCall, WARM_UP } from './measures/call.ts';
import { measureChunk, warmUpChunks } from './measures/chunk.ts';
import type { MeasureName } from './measures/measure.ts';
import { measureOneAtATime } from './measures/one-connection.ts';
import { pairsInWords, startsInWords, verdictOf } from './pairs.ts';
import type { Subject, SubjectOptions } from './subject.ts';
import { startBackend } from './subjects.ts';
import { prepareTurnpike, serveTurnpike } from './turnpike-subject.ts';

export interface PairedOptions {
  /** The folder of the other checkout. */
  readonly before: string;
  readonly quick: boolean;
  /** How often both programs are started: processes of one program differ, so a small difference needs many. Null: three times. */
  readonly starts: number | null;
  /** Those of `call`, `one-connection` and `chunk` that are wanted. */
  readonly measures: readonly MeasureName[];
}

interface Work {
  readonly measure: MeasureName;
  readonly name: string;
  warmUp(subject: Subject): Promise<unknown>;
  /** Microseconds of CPU. */
  micros(subject: Subject): Promise<number>;
}

const OPTIONS: SubjectOptions = { profileFolder: null, watchLoop: false, countStatements: false, ledger: 'kept' };
const LANES: readonly Lane[] = ['relay', 'translate'];
/** What a call waits for the core, which other work may share, is no overload. */
const ENVIRONMENT = { TURNPIKE_LIMITS_LOOP_DELAY_MS: '60000' };

/** Prints a line per work: the median of the pairs' ratios, their quartiles and the verdict. Returns false if a work got slower. */
export async function runPaired({ before, quick, starts, measures }: PairedOptions): Promise<boolean> {
  // Both have the same configuration, with the formats that both know.
  const formats = dialectsOf(before);
  const works = worksOf(quick, formats).filter(({ measure }) => measures.includes(measure));
  /** Of each start. */
  const ratios = new Map<Work, number[][]>(works.map((work) => [work, []]));
  const ratiosOf = (work: Work) => ratios.get(work) ?? [];
  const backend = await startBackend();
  try {
    const options = { formats, environment: ENVIRONMENT };
    for (let start = 1; start <= (starts ?? (quick ? 1 : 3)); start += 1) {
      const [after, other] = [prepareTurnpike(backend, options), prepareTurnpike(backend, options, before)];
      const pair = [await serveTurnpike(after, OPTIONS), await serveTurnpike(other, OPTIONS, before)] as const;
      const [now, then] = [pair[0].subject, pair[1].subject];
      try {
        for (const work of works) {
          for (const subject of [now, then]) await work.warmUp(subject);
          const ofStart: number[] = [];
          ratiosOf(work).push(ofStart);
          for (let round = 1; round <= 5; round += 1) {
            // The first subject finds the machine as the previous one left it.
            const order = round % 2 === 0 ? [now, then] : [then, now];
            const micros = new Map<Subject, number>();
            for (const subject of order) micros.set(subject, await work.micros(subject));
            ofStart.push((micros.get(now) ?? Number.NaN) / (micros.get(then) ?? Number.NaN));
          }
          process.stderr.write(`${line(work, ratiosOf(work))}\n`);
        }
      } finally {
        for (const { subject } of pair) await subject.stop();
        for (const installation of [after, other]) installation.remove();
      }
    }
  } finally {
    await backend.stop();
  }
  process.stdout.write(`\nCPU after ÷ before, ${before}\n`);
  for (const work of works) process.stdout.write(`${line(work, ratiosOf(work))}\n`);
  return works.every((work) => verdictOf(ratiosOf(work).flat()) !== 'no');
}

function line({ name }: Work, starts: readonly (readonly number[])[]): string {
  return [name.padEnd(40), pairsInWords(starts.flat()), startsInWords(starts)].join(' ').trimEnd();
}

function worksOf(quick: boolean, formats: readonly DialectName[]): readonly Work[] {
  const call: Work = {
    measure: 'call',
    name: 'call, not streamed',
    async warmUp(subject) {
      await checkAnswer(subject, CHAT, 'whole');
      await measureCall(subject, quick ? 8_000 : FIRST_WARM_UP, 1);
    },
    micros: (subject) => measureCall(subject, WARM_UP, quick ? 8_000 : 20_000),
  };
  const alone: Work = {
    measure: 'one-connection',
    name: 'call, one at a time',
    warmUp: call.warmUp,
    micros: (subject) => measureOneAtATime(subject, quick),
  };
  const chunk = (dialect: DialectName, lane: Lane): Work => ({
    measure: 'chunk',
    name: `chunk, ${dialect}, ${lane === 'relay' ? 'same dialect' : 'translated'}`,
    async warmUp(subject) {
      await checkAnswer(subject, dialect, 'brief');
      await warmUpChunks(subject, dialect, lane, quick);
    },
    micros: (subject) => measureChunk(subject, dialect, lane),
  });
  return [call, alone, ...LANES.flatMap((lane) => formats.map((dialect) => chunk(dialect, lane)))];
}
