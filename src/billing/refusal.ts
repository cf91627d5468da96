/** Why a call is not admitted: which balance or budget binds, and what to do about it. */
import type { BudgetWindow } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import { formatUsd, type Money, usdLiteral } from '../core/money.ts';
import { type Scope, windowEnd } from './spending.ts';

export interface Constraint {
  readonly scope: Scope | 'balance';
  /** Of a budget. */
  readonly window: BudgetWindow | null;
  /** What may be taken now; below zero where a budget was lowered or a balance went down. */
  readonly available: Money;
  /** The same, should no call be running. */
  readonly whole: Money;
  /** What a window of the budget has at its start; null of a balance. */
  readonly limit: Money | null;
}

/** Running calls end within moments, mostly. */
const RESERVED_RETRY_SECONDS = 2;

/** A 402. `needed` is the least the call can be admitted with. */
export function refusal(constraint: Constraint, needed: Money, nowMs: number): GatewayError {
  const { scope, window, available, whole, limit } = constraint;
  const binding = scope === 'balance' ? 'balance' : `${scope}_budget_${window}`;
  const facts = { binding, needed: usdLiteral(needed), available: usdLiteral(available) };
  const said = { needed: formatUsd(needed), available: formatUsd(available) };
  const what = scope === 'balance' ? 'balance of this account' : `${nameOf(window)} budget of this ${scope}`;
  if (needed <= whole) {
    return new GatewayError('balance_reserved', {
      message: `The ${what} is held by calls that are still running: this call may cost up to $${said.needed}, and $${said.available} is free. Try again when they have ended, or ask for fewer tokens (max_tokens).`,
      retryAfterSeconds: RESERVED_RETRY_SECONDS,
      facts,
    });
  }
  if (scope === 'balance') {
    return new GatewayError('insufficient_balance', {
      message: `The balance of this account is too low: this call may cost up to $${said.needed}, and $${said.available} is left. Ask for fewer tokens (max_tokens), or have the operator top up: turnpike balance add <usd>.`,
      facts,
    });
  }
  if (limit !== null && needed > limit) return beyondBudget(what, limit, needed, facts);
  const endsAt = window === null ? null : windowEnd(window, nowMs);
  const renewal =
    endsAt === null ? 'It does not renew itself.' : `It renews itself at ${new Date(endsAt).toISOString()}.`;
  const state =
    available > 0n
      ? `leaves $${said.available}, and this call may cost up to $${said.needed}`
      : `${whole > 0n ? 'is used up or held by running calls' : 'is used up'}: this call may cost up to $${said.needed}, and $${said.available} is left`;
  return new GatewayError('budget_exceeded', {
    message: `The ${what} ${state}. ${renewal}`,
    ...(endsAt === null ? {} : { retryAfterSeconds: Math.max(1, Math.ceil((endsAt - nowMs) / 1000)) }),
    facts: { ...facts, resets_at: endsAt === null ? null : new Date(endsAt).toISOString() },
  });
}

/** Waiting helps nothing here, so nothing is said of when the budget renews itself. */
function beyondBudget(
  what: string,
  limit: Money,
  needed: Money,
  facts: Readonly<Record<string, unknown>>,
): GatewayError {
  return new GatewayError('budget_exceeded', {
    message: `The ${what} is $${formatUsd(limit)} in all, and this call may cost more than that: up to $${formatUsd(needed)}. Ask for fewer tokens (max_tokens), or have the budget raised.`,
    facts: { ...facts, resets_at: null },
  });
}

/** A 402 for what no mode admits: charged in full it could take a sum of the ledger beyond what 64 bits hold. */
export function beyondBooks(needed: Money): GatewayError {
  return new GatewayError('insufficient_balance', {
    message: `This call may cost up to $${formatUsd(needed)}, which is beyond what an account can owe here. Ask for fewer tokens (max_tokens), or have the operator look at the model's price.`,
    facts: { binding: 'balance', needed: usdLiteral(needed) },
  });
}

function nameOf(window: BudgetWindow | null): string {
  return window === 'day' ? 'daily' : window === 'week' ? 'weekly' : window === 'month' ? 'monthly' : 'total';
}
