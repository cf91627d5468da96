/** Random choices for the simulator: the same seed gives the same run, on every machine. */
import { between, seeded } from '../support/seeded.ts';

export class Random {
  /** From 0 up to but not including 1. */
  readonly unit: () => number;

  constructor(seed: number) {
    this.unit = seeded(seed);
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return between(this.unit, low, high);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.unit() * items.length)];
    if (item === undefined) throw new RangeError('there is nothing to pick from');
    return item;
  }
}
