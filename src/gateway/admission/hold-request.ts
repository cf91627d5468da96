/** The request to the bank. */
import type { Bank, HoldRequest } from '../../billing/bank.ts';
import { type Bound, type BoundRequest, boundOf } from '../../billing/bound.ts';
import { unlimitedUseError } from '../../billing/refusal.ts';
import type { Target } from '../../catalog/model.ts';
import type { CallerDialect } from '../../dialects/dialect.ts';
import type { Identified } from '../phases.ts';

/** Throws `GatewayError` 400 `unsupported_value` for a call without a bound that would be paid from a balance. */
export function boundIn(
  { mode }: Pick<Bank, 'mode'>,
  request: BoundRequest,
  targets: readonly Target[],
  { costLimits }: Pick<CallerDialect, 'costLimits'>,
): Bound | null {
  const bound = boundOf(request, targets, mode);
  if (bound === null || bound.unlimitedField === undefined) return bound;
  throw unlimitedUseError(bound.unlimitedField, costLimits.toolUses);
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
