/** How far each budget that covers a key is used up, and what of them and the balance binds. */
import type { Limits } from '../../../accounts/limits.ts';
import type { Balance, Bank } from '../../../billing/bank.ts';
import { type Scope, windowEnd } from '../../../billing/spending.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../core/budget.ts';
import type { Money } from '../../../core/money.ts';

export interface BudgetState {
  readonly scope: Scope;
  readonly window: BudgetWindow;
  readonly limit: Money;
  readonly spent: Money;
  /** By running calls. */
  readonly held: Money;
  /** Not spent; what is held is a part of it. Below zero where a budget was lowered. */
  readonly remaining: Money;
  /** Wall time, ms; null for never. */
  readonly resetsAt: number | null;
}

/** What a call meets first. */
export interface Binding {
  /** `balance`, or `key_budget_day` and the like, as a refusal names it. */
  readonly name: string;
  readonly scope: Scope | 'balance';
  readonly window: BudgetWindow | null;
  /** What may be taken now. */
  readonly available: Money;
}

/** `id` is where the scope's spending is counted: of a key, the first of its chain of rotations. */
export function budgetsOf(
  bank: Pick<Bank, 'spent' | 'heldBy'>,
  scope: Scope,
  id: number,
  { budgets = {} }: Limits,
  nowMs: number,
): BudgetState[] {
  const states: BudgetState[] = [];
  for (const window of BUDGET_WINDOWS) {
    const limit = budgets[window];
    if (limit === undefined) continue;
    const spent = bank.spent(scope, id, window);
    const remaining = (limit - spent) as Money;
    states.push({
      scope,
      window,
      limit,
      spent,
      held: bank.heldBy(scope, id),
      remaining,
      resetsAt: windowEnd(window, nowMs),
    });
  }
  return states;
}

/** The one that leaves least, as the bank judges it; null where nothing binds. `balance` is null where it does not. */
export function bindingOf(balance: Balance | null, budgets: readonly BudgetState[]): Binding | null {
  let binding: Binding | null =
    balance === null ? null : { name: 'balance', scope: 'balance', window: null, available: balance.available };
  for (const { scope, window, remaining, held } of budgets) {
    const available = (remaining - held) as Money;
    if (binding === null || available < binding.available)
      binding = { name: `${scope}_budget_${window}`, scope, window, available };
  }
  return binding;
}
