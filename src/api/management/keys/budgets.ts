/** The state of each budget that applies to a key, and which of them or the balance is the tightest. */
import type { Key } from '../../../accounts/keys.ts';
import type { Limits } from '../../../accounts/limits.ts';
import type { Account, Project } from '../../../accounts/ports.ts';
import type { Balance, MoneyView, ScopeMoney } from '../../../billing/money-view.ts';
import { type Scope, windowEnd } from '../../../billing/spending.ts';
import { assert } from '../../../core/assert.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../core/budget.ts';
import { type Money, NO_MONEY } from '../../../core/money.ts';

export interface BudgetState {
  readonly scope: Scope;
  readonly window: BudgetWindow;
  readonly limit: Money;
  readonly spent: Money;
  /** Held by running calls. */
  readonly held: Money;
  /** Not spent yet, including what is held. Negative if a budget was lowered. */
  readonly remaining: Money;
  /** Wall time, ms; null for never. */
  readonly resetsAt: number | null;
}

/** The limit that a call reaches first. */
export interface Binding {
  /** `balance`, or `key_budget_day` and so on, as in refusals. */
  readonly name: string;
  readonly scope: Scope | 'balance';
  readonly window: BudgetWindow | null;
  /** The amount that can be held now. */
  readonly available: Money;
}

/** The money that limits a call of a key: what the key, its project and its account have spent, and the account's balance. */
export interface KeyMoney {
  readonly ofKey: ScopeMoney;
  /** Null without billing. */
  readonly balance: Balance | null;
  readonly budgets: readonly BudgetState[];
}

export async function moneyOfKey(
  view: MoneyView,
  key: Pick<Key, 'rootId' | 'limits'>,
  project: Pick<Project, 'id' | 'limits'>,
  account: Pick<Account, 'id' | 'limits'>,
  nowMs: number,
): Promise<KeyMoney> {
  // A rotated key continues the budget and spending of the previous one.
  const [ofKey, ofProject, ofAccount] = await view.of([
    { scope: 'key', id: key.rootId },
    { scope: 'project', id: project.id },
    { scope: 'account', id: account.id },
  ]);
  assert(ofKey !== undefined && ofProject !== undefined && ofAccount !== undefined, 'each scope is answered for');
  const budgets = [
    ...budgetsOf('key', ofKey, key.limits, nowMs),
    ...budgetsOf('project', ofProject, project.limits, nowMs),
    ...budgetsOf('account', ofAccount, account.limits, nowMs),
  ];
  return { ofKey, balance: ofAccount.balance, budgets };
}

/** `money` is the scope's; for a key, that of the first key of its chain of rotations. */
export function budgetsOf(scope: Scope, money: ScopeMoney, { budgets = {} }: Limits, nowMs: number): BudgetState[] {
  const states: BudgetState[] = [];
  for (const window of BUDGET_WINDOWS) {
    const limit = budgets[window];
    if (limit === undefined) continue;
    const spent = money.spent[window];
    const remaining = (limit - spent) as Money;
    states.push({
      scope,
      window,
      limit,
      spent,
      held: money.held,
      remaining,
      resetsAt: windowEnd(window, nowMs),
    });
  }
  return states;
}

/** The limit with the least available, as in the bank; null if there is none. `balance` is null if it is not a limit. */
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

/** OpenRouter has one budget per key: of several, the one with the least remaining. */
export function tightestOfKey(budgets: readonly BudgetState[]): BudgetState | null {
  let tightest: BudgetState | null = null;
  for (const budget of budgets)
    if (budget.scope === 'key' && (tightest === null || budget.remaining < tightest.remaining)) tightest = budget;
  return tightest;
}

export function notBelowZero(amount: Money): Money {
  return amount > NO_MONEY ? amount : NO_MONEY;
}
