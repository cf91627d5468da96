/** The request to the bank. */
import type { Bank, HoldRequest } from '../../billing/bank.ts';
import { type Bound, type BoundRequest, boundOf } from '../../billing/bound.ts';
import type { PinnedRates } from '../../billing/rates.ts';
import { unlimitedUseError } from '../../billing/refusal.ts';
import type { Rate } from '../../core/rates/rate.ts';
import { type Candidate, targetsOf } from '../../routing/candidate.ts';
import type { Identified, Understood } from '../phases.ts';

/**
 * The most that the account is charged, whichever candidate serves it, at the rate of each. Throws `GatewayError` 400 `unsupported_value` for a call without a bound that would
 * be paid from a balance.
 */
export function boundIn(
  { mode }: Pick<Bank, 'mode'>,
  request: BoundRequest,
  candidates: readonly Candidate[],
  { dialect, rates }: Pick<Understood, 'dialect' | 'rates'>,
): Bound | null {
  const bound = boundOf(request, targetsOf(candidates), mode, (index) => rateOf(candidates[index] as Candidate, rates));
  if (bound === null || bound.unlimitedField === undefined) return bound;
  throw unlimitedUseError(bound.unlimitedField, dialect.costLimits.toolUses);
}

/** What the account is charged of a call's cost if this candidate serves it. */
export function rateOf({ model, own }: Candidate, rates: PinnedRates): Rate {
  return rates.rateOf(model.id, own !== null);
}

export function holdRequest(call: Identified, bound: Bound | null): HoldRequest {
  const { key, project, account } = call;
  return {
    callId: call.id,
    admittedAt: call.admittedAt,
    accountId: key.accountId,
    projectId: key.projectId,
    // A rotated key continues with the budget of its predecessor.
    keyId: key.rootId,
    keyBudgets: key.limits.budgets,
    projectBudgets: project.limits.budgets,
    accountBudgets: account.limits.budgets,
    bound,
  };
}
