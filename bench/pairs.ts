/** What pairs of figures say about a change that is not meant to make anything faster (decision 0021). */
import { median, quantile } from './statistics.ts';

export const AFTER_BY_BEFORE_MOST = 1.03;

/** `undecided`: the quartiles are on both sides of the bound, so the run is inconclusive. */
export type Verdict = 'yes' | 'no' | 'undecided';

/** Whether a work got no slower than it may, by the ratios of its pairs. */
export function verdictOf(ratios: readonly number[]): Verdict {
  const [low, high] = quartiles(ratios);
  if (high <= AFTER_BY_BEFORE_MOST) return 'yes';
  return low > AFTER_BY_BEFORE_MOST ? 'no' : 'undecided';
}

/** `0.981 (quartiles 0.950 to 1.014, 5 pairs): ≤ 1.03: yes` */
export function pairsInWords(ratios: readonly number[]): string {
  const [low, high] = quartiles(ratios).map((value) => value.toFixed(3));
  const figures = `${median(ratios).toFixed(3)} (quartiles ${low} to ${high}, ${ratios.length} pairs)`;
  return `${figures}: ≤ ${AFTER_BY_BEFORE_MOST}: ${verdictOf(ratios)}`;
}

/**
 * `mean of 12 starts 0.996 ± 0.008`, given the ratios of each start: ± is the standard error. Processes of one program differ for as long as
 * they live, so a difference of 1 % is not in the quartiles of the pairs, only in the mean of many starts. Empty for one start.
 */
export function startsInWords(starts: readonly (readonly number[])[]): string {
  if (starts.length < 2) return '';
  const medians = starts.map(median);
  const mean = sumOf(medians) / medians.length;
  const variance = sumOf(medians.map((each) => (each - mean) ** 2)) / (medians.length - 1);
  return `mean of ${starts.length} starts ${mean.toFixed(3)} ± ${Math.sqrt(variance / medians.length).toFixed(3)}`;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function quartiles(ratios: readonly number[]): readonly [number, number] {
  return [quantile(ratios, 0.25), quantile(ratios, 0.75)];
}
