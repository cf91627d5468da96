/** What a failed attempt is known to have cost, although its caller got nothing of it: the operator's. */
import { type Money, NO_MONEY } from '../../core/money.ts';
import type { Admitted } from '../phases.ts';
import { costAt, isPlausible } from './consumption.ts';

/**
 * Of the last attempt, before the next one begins: at its list price, if the provider answered and reported a usage. Nothing for an own
 * credential, whose owner pays the provider.
 */
export function lostCost(call: Admitted): Money {
  const { answered, candidate, meter } = call;
  if (!answered || meter === null || candidate.own !== null || meter.usageInvalid()) return NO_MONEY;
  const usage = meter.usage();
  return usage === null || !isPlausible(usage) ? NO_MONEY : (costAt(call, usage) ?? NO_MONEY);
}
