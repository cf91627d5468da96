/**
 * How to share out too little, evenly: everybody gets what they ask for up to a level, at which the sum is what there is.
 * Who asks for little gets all of it. (Max-min fairness: Bertsekas and Gallager, "Data Networks", section 6.5.2.)
 */

/** The level: `Infinity` if there is enough. `wanted` and `budget` are whole numbers; so is the level, rounded up, so that a small budget is not lost. */
export function fairLevel(wanted: readonly number[], budget: number): number {
  const ascending = wanted.toSorted((one, other) => one - other);
  let left = budget;
  for (const [at, amount] of ascending.entries()) {
    const others = ascending.length - at;
    if (amount * others > left) return Math.ceil(left / others);
    left -= amount;
  }
  return Number.POSITIVE_INFINITY;
}
