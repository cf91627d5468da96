/**
 * Subjects take turns, A B C A B C …, so that whatever slows the machine for a while slows all of
 * them; a subject's figure is the median of its rounds, a ratio the median of the rounds' ratios.
 */
import { median } from '../statistics.ts';
import type { Subject, SubjectName } from '../subjects.ts';
import type { Bench } from './measure.ts';

export type Rounds = Partial<Record<SubjectName, readonly number[]>>;

export async function inRounds(
  bench: Bench,
  rounds: number,
  title: string,
  measure: (subject: Subject) => Promise<number>,
): Promise<Rounds> {
  const seen: Rounds = {};
  for (let round = 1; round <= rounds; round += 1) {
    const line: string[] = [];
    for (const subject of bench.subjects) {
      if (subject.name === 'direct') continue;
      const value = await measure(subject);
      seen[subject.name] = [...(seen[subject.name] ?? []), value];
      line.push(`${subject.name} ${value.toFixed(1)}`);
    }
    bench.say(`${title}, round ${round} of ${rounds}: ${line.join(' · ')}`);
  }
  return seen;
}

export function medians(rounds: Rounds): Partial<Record<SubjectName, number>> {
  return Object.fromEntries(Object.entries(rounds).map(([name, values]) => [name, median(values)]));
}
