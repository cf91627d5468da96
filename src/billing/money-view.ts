/** What pages and lists show of money: all of a page is asked for at once, for it may be a database that answers. */
import type { BudgetWindow } from '../core/budget.ts';
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Scope } from './spending.ts';

/** Of a key, `id` is the first of its chain of rotations: its spending is counted there. */
export interface ScopeRef {
  readonly scope: Scope;
  readonly id: number;
}

export interface ScopeMoney {
  /** Of an account; null of a key or a project, and where no balance is kept. */
  readonly balance: Balance | null;
  /** Charges of the windows that run now. */
  readonly spent: Readonly<Record<BudgetWindow, Money>>;
  /** By running calls. */
  readonly held: Money;
  /** The last UTC day (days since 1970) in which a call was admitted that has ended; null for none. */
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
  /** In the order asked for; of what nobody knows it is nothing everywhere. */
  of(scopes: readonly ScopeRef[]): Promise<readonly ScopeMoney[]>;
}

/** What is shown of one. */
export async function moneyOf(view: MoneyView, scope: Scope, id: number): Promise<ScopeMoney> {
  const [money] = await view.of([{ scope, id }]);
  if (money === undefined) throw new Error('a view of money answers for each scope that it is asked for');
  return money;
}

/** What an account has; null where no balance is kept. */
export async function balanceOf(view: MoneyView, accountId: AccountId): Promise<Balance | null> {
  return (await moneyOf(view, 'account', accountId)).balance;
}
