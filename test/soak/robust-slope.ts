/** A slope that single outliers do not change: the median of the slopes of all pairs of points (Theil and Sen; Sen 1968, doi:10.2307/2285891). */
import { quantile } from '../prove/support/load/load-caller.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `NaN` with fewer than two points. Takes time in proportion to the square of the number of points. */
export function robustSlope(points: readonly Point[]): number {
  const slopes: number[] = [];
  for (const [at, one] of points.entries())
    for (const other of points.slice(at + 1)) if (other.x !== one.x) slopes.push((other.y - one.y) / (other.x - one.x));
  return quantile(slopes, 0.5);
}
