/**
 * Subjects take turns, A B C A B C …, so that whatever slows the machine for a while slows all of
 * them; a subject's figure is the median of its rounds.
 */
import { median, spread } from '../statistics.ts';
import type { Subject, SubjectName } from '../subjects.ts';
import type { Bench } from './measure.ts';

export interface Rounds {
  readonly values: Partial<Record<SubjectName, number>>;
  readonly spreads: Partial<Record<SubjectName, number>>;
}

export async function inRounds(
  bench: Bench,
  rounds: number,
  title: string,
  measure: (subject: Subject) => Promise<number>,
): Promise<Rounds> {
  const seen = new Map<SubjectName, number[]>();
  for (let round = 1; round <= rounds; round += 1) {
    const line: string[] = [];
    for (const subject of bench.subjects) {
      if (subject.name === 'direct') continue;
      const value = await measure(subject);
      seen.set(subject.name, [...(seen.get(subject.name) ?? []), value]);
      line.push(`${subject.name} ${value.toFixed(1)}`);
    }
    bench.say(`${title}, round ${round} of ${rounds}: ${line.join(' · ')}`);
  }
  const result: Rounds = { values: {}, spreads: {} };
  for (const [name, values] of seen) {
    result.values[name] = median(values);
    result.spreads[name] = spread(values);
  }
  return result;
}
