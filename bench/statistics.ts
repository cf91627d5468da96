/** Medians and percentiles: means would carry every hiccup of a shared machine. */

/** The `fraction` quantile (0.5 is the median), by the nearest-rank rule. Throws on no values. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const value = sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)];
  if (value === undefined) throw new Error('a quantile of no values');
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Half the distance between the quartiles, relative to the median: how far rounds disagree. */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
}
