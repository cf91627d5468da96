/** What each ending costs the caller: the table of the billing guide, in code. */
import { assertNever } from '../core/assert.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Ending } from '../core/settlement.ts';

/** `cost` is null when the model has no price. */
export function chargeFor(ending: Ending, cost: Money | null): Money {
  switch (ending) {
    case 'complete':
    case 'caller_left':
    case 'caller_slow':
    case 'drained':
      return cost ?? NO_MONEY;
    case 'empty':
    case 'upstream_failed':
    case 'upstream_timeout':
    case 'refused_upstream':
    case 'gateway_failed':
      return NO_MONEY;
    default:
      return assertNever(ending);
  }
}
