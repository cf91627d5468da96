/** Who pays for a call: the table of endings in the billing guide, in code. */
import { assertNever } from '../core/assert.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import { atRate } from '../core/rates/rate.ts';
import type { Ending, Settlement } from '../core/settlement.ts';

export interface Shares {
  /** The account's. */
  readonly charge: Money;
  /** The operator's, because the provider failed or returned nothing: the cost. Nothing for an own credential. */
  readonly fault: Money;
  /** The operator's, because the call would have been charged more than was held. Nothing for an own credential. */
  readonly variance: Money;
}

/** What the shares of a call depend on. */
export type Costs = Pick<Settlement, 'ending' | 'cost' | 'rate' | 'ownCredential'>;

const NOTHING: Shares = { charge: NO_MONEY, fault: NO_MONEY, variance: NO_MONEY };

/**
 * If the ending is charged, charge and variance add up to the cost at the rate; for an own credential, to no more than the hold. `cost` is null if the model has no price; the
 * charge never exceeds `held`.
 */
export function sharesOf({ ending, cost, rate, ownCredential }: Costs, held: Money): Shares {
  if (cost === null || cost === NO_MONEY) return NOTHING;
  if (!isCharged(ending)) return ownCredential ? NOTHING : { charge: NO_MONEY, fault: cost, variance: NO_MONEY };
  const price = atRate(cost, rate);
  if (price <= held) return { charge: price, fault: NO_MONEY, variance: NO_MONEY };
  // What is not charged of a fee is no cost of the operator's.
  if (ownCredential) return { charge: held, fault: NO_MONEY, variance: NO_MONEY };
  return { charge: held, fault: NO_MONEY, variance: (price - held) as Money };
}

/** Whether an account pays for a call that ended so. */
export function isCharged(ending: Ending): boolean {
  switch (ending) {
    case 'complete':
    case 'caller_left':
    case 'caller_slow':
    case 'drained':
    case 'key_cut':
    case 'gateway_crashed':
      return true;
    case 'empty':
    case 'upstream_failed':
    case 'upstream_timeout':
    case 'refused_upstream':
    case 'gateway_failed':
      return false;
    default:
      return assertNever(ending);
  }
}
