/** Who pays for a call: the table of endings in the billing guide, in code. */
import { assertNever } from '../core/assert.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Ending } from '../core/settlement.ts';

export interface Shares {
  /** The account's. */
  readonly charge: Money;
  /** The operator's, because the provider failed or returned nothing. */
  readonly fault: Money;
  /** The operator's, because the call cost more than was held. */
  readonly variance: Money;
}

const NOTHING: Shares = { charge: NO_MONEY, fault: NO_MONEY, variance: NO_MONEY };

/** The shares add up to the cost. `cost` is null if the model has no price; the charge never exceeds `held`. */
export function sharesOf(ending: Ending, cost: Money | null, held: Money): Shares {
  if (cost === null || cost === NO_MONEY) return NOTHING;
  if (!isCharged(ending)) return { charge: NO_MONEY, fault: cost, variance: NO_MONEY };
  if (cost <= held) return { charge: cost, fault: NO_MONEY, variance: NO_MONEY };
  return { charge: held, fault: NO_MONEY, variance: (cost - held) as Money };
}

function isCharged(ending: Ending): boolean {
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
