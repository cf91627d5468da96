/** The money that pages and lists show. A whole page is requested at once, because a database may have to answer. */
import type { BudgetWindow } from '../core/budget.ts';
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Scope } from './spending.ts';

/** For a key, `id` is the root of its chain of rotations, where its spending is counted. */
export interface ScopeRef {
  readonly scope: Scope;
  readonly id: number;
}

export interface ScopeMoney {
  /** An account's balance; null for a key or a project, and if no balance is kept. */
  readonly balance: Balance | null;
  /** Charges in the current windows. */
  readonly spent: Readonly<Record<BudgetWindow, Money>>;
  /** What calls cost in the same windows that own credentials served, at list prices; absent for none, and for projects and accounts. */
  readonly ownCost?: Readonly<Record<BudgetWindow, Money>>;
  /** By running calls. */
  readonly held: Money;
  /** The last UTC day (days since 1970) on which a call that has since ended was admitted; null for none. */
  readonly lastDay: number | null;
}

export interface Balance {
  /** Available and held together; negative only after the fact (postpaid). */
  readonly balance: Money;
  readonly held: Money;
  readonly available: Money;
  readonly credited: Money;
  readonly charged: Money;
}

export interface MoneyView {
  /** In the order requested; all zeros for an unknown one. */
  of(scopes: readonly ScopeRef[]): Promise<readonly ScopeMoney[]>;
}

/** The money of one scope. */
export async function moneyOf(view: MoneyView, scope: Scope, id: number): Promise<ScopeMoney> {
  const [money] = await view.of([{ scope, id }]);
  if (money === undefined) throw new Error('a money view returns one result per scope');
  return money;
}

/** An account's balance; null if no balance is kept. */
export async function balanceOf(view: MoneyView, accountId: AccountId): Promise<Balance | null> {
  return (await moneyOf(view, 'account', accountId)).balance;
}
