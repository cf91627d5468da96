/**
 * What a key has spent and may still spend, in the fields that OpenRouter's clients read: https://openrouter.ai/docs/api-reference/limits
 */
import type { ScopeMoney } from '../../../billing/money-view.ts';
import type { BudgetWindow } from '../../../core/budget.ts';
import { NO_MONEY, usdLiteral } from '../../../core/money.ts';
import { type BudgetState, notBelowZero } from './budgets.ts';
import type { Reset } from './key-budget.ts';

const RESETS: Readonly<Record<BudgetWindow, Reset>> = { day: 'daily', week: 'weekly', month: 'monthly', total: null };

/** `limit` is the budget shown as the single limit, or null. */
export function keyMoney(limit: BudgetState | null, { spent, ownCost }: Pick<ScopeMoney, 'spent' | 'ownCost'>) {
  return {
    limit: usdLiteral(limit?.limit ?? null),
    limit_remaining: usdLiteral(limit === null ? null : notBelowZero(limit.remaining)),
    limit_reset: limit === null ? null : RESETS[limit.window],
    // Budgets count what is charged, of an own credential its fee: what its provider bills is no part of them.
    include_byok_in_limit: false as const,
    usage: usdLiteral(spent.total),
    usage_daily: usdLiteral(spent.day),
    usage_weekly: usdLiteral(spent.week),
    usage_monthly: usdLiteral(spent.month),
    byok_usage: usdLiteral(ownCost?.total ?? NO_MONEY),
    byok_usage_daily: usdLiteral(ownCost?.day ?? NO_MONEY),
    byok_usage_weekly: usdLiteral(ownCost?.week ?? NO_MONEY),
    byok_usage_monthly: usdLiteral(ownCost?.month ?? NO_MONEY),
  };
}
