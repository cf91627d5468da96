/** How much of what is available a call takes: its most, or less if the bank may lower its output cap. */
import { type Money, picoUsd } from '../core/money.ts';
import { amountAt, type Bound } from './bound.ts';

/** A lowered cap takes one part in this many of what is left, so that concurrent calls all get some. */
const LOWERED_SHARE = 8n;
/** A lowered cap leaves at least this many tokens of an answer; the Responses format refuses a cap below 16. */
export const LOWERED_CAP_MIN = 256;
const PICO_PER_NANO = 1000n;

/** What one call asks of purses that may have to wait for money. */
export class Demand {
  /** The amount at the cap that was asked for. */
  readonly full: Money;
  /** The cap of the amount that `within` returned last. */
  outputCap: number;
  readonly #bound: Bound;

  constructor(bound: Bound) {
    this.#bound = bound;
    this.outputCap = bound.outputCap;
    this.full = amountAt(bound, bound.outputCap);
  }

  /** Of this much, and nothing less. */
  static of(amount: Money): Demand {
    return new Demand({
      fixed: picoUsd(amount * PICO_PER_NANO),
      perOutputToken: picoUsd(0n),
      outputCap: 0,
      mayLower: false,
    });
  }

  /** Whether less than `full` may do. */
  get mayShrink(): boolean {
    return this.#bound.mayLower && this.#bound.perOutputToken > 0n && this.#bound.outputCap > LOWERED_CAP_MIN;
  }

  /** The least that the call is ever admitted with. */
  get least(): Money {
    return this.mayShrink ? amountAt(this.#bound, LOWERED_CAP_MIN) : this.full;
  }

  /** What the call takes if this much is available; more than that if it cannot be admitted. */
  within(available: Money): Money {
    this.outputCap = capWithin(this.#bound, this.full, available);
    return this.outputCap === this.#bound.outputCap ? this.full : amountAt(this.#bound, this.outputCap);
  }
}

/**
 * The cap that a call is admitted with, in tokens. It is lowered if the caller set none and `full`, the amount at the full
 * cap, is more than half of what is available.
 */
export function capWithin(bound: Bound, full: Money, available: Money): number {
  const { outputCap, perOutputToken } = bound;
  if (!bound.mayLower || perOutputToken === 0n || outputCap <= LOWERED_CAP_MIN || full <= available / 2n)
    return outputCap;
  const affordable = (available * PICO_PER_NANO - bound.fixed) / LOWERED_SHARE / perOutputToken;
  const lowered = affordable >= LOWERED_CAP_MIN ? Number(affordable) : LOWERED_CAP_MIN;
  return Math.min(lowered, outputCap);
}

/** The least that one of these would hold, at the lowest cap that is ever set; 0 if one of them is free or unknown. */
export function leastOf(bounds: readonly (Bound | null)[]): Money {
  let least: Money | null = null;
  for (const bound of bounds) {
    if (bound === null) return 0n as Money;
    const amount = amountAt(bound, Math.min(bound.outputCap, LOWERED_CAP_MIN));
    if (least === null || amount < least) least = amount;
  }
  return least ?? (0n as Money);
}
