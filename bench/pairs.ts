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

function quartiles(ratios: readonly number[]): readonly [number, number] {
  return [quantile(ratios, 0.25), quantile(ratios, 0.75)];
}
