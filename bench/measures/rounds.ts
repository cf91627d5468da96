/**
 * Subjects take turns, A B C A B C …, so that whatever slows the machine for a while slows all of
 * them; a subject's figure is the median of its rounds, a ratio the median of the rounds' ratios.
 * Processes of one program differ by some percent as long as they live (what was compiled when, and where
 * in memory it lies), so the rounds are shared out among several processes of each subject.
 */
import { median } from '../statistics.ts';
import type { Subject, SubjectName } from '../subject.ts';
import type { Bench } from './measure.ts';

export type Rounds = Partial<Record<SubjectName, readonly number[]>>;

/** How often each subject is restarted, and its rounds after each start. */
export function repeats({ quick }: Bench): { readonly starts: number; readonly rounds: number } {
  return { starts: quick ? 1 : 3, rounds: 3 };
}

/** Passes `work` fresh processes of all subjects, as often as requested. */
export async function inStarts(
  bench: Bench,
  starts: number,
  work: (subjects: readonly Subject[], words: string) => Promise<void>,
): Promise<void> {
  for (let start = 1; start <= starts; start += 1) {
    const subjects: Subject[] = [];
    try {
      for (const { name } of bench.subjects) if (name !== 'direct') subjects.push(await bench.startFresh(name));
      await work(subjects, `start ${start} of ${starts}`);
    } finally {
      for (const subject of subjects) await subject.stop();
    }
  }
}

/** Adds the figures of some rounds to those of `before`. */
export async function inRounds(
  { walk }: Bench,
  subjects: readonly Subject[],
  rounds: number,
  before: Rounds,
  measure: (subject: Subject) => Promise<number>,
): Promise<Rounds> {
  const seen = { ...before };
  for (let round = 1; round <= rounds; round += 1) {
    walk.measure();
    for (const subject of subjects) {
      const { name } = subject;
      if (name !== 'direct') seen[name] = [...(seen[name] ?? []), await measure(subject)];
    }
  }
  return seen;
}

export function medians(rounds: Rounds): Partial<Record<SubjectName, number>> {
  return Object.fromEntries(Object.entries(rounds).map(([name, values]) => [name, median(values)]));
}

/** The last rounds of each subject, for the console. */
export function wordsOf(rounds: Rounds, last: number): string {
  return Object.entries(rounds)
    .map(([name, values]) => `${name} ${listed(values.slice(-last))}`)
    .join(' · ');
}

export function listed(values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join(' ');
}
