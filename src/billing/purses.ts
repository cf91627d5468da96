/** The money of one node: a purse for each account, and what each key, project and account has spent, all in memory. */
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import type { Money } from '../core/money.ts';
import type { BillingMode } from './billing-mode.ts';
import type { MoneyView, ScopeMoney, ScopeRef } from './money-view.ts';
import type { LoadedLedger } from './ports.ts';
import { Purse } from './purse.ts';
import { type Scope, Spending } from './spending.ts';

export class Purses implements MoneyView {
  readonly #mode: BillingMode;
  readonly #clock: Clock;
  readonly #purses = new Map<number, Purse>();
  readonly #spending: Record<Scope, Map<number, Spending>> = { key: new Map(), project: new Map(), account: new Map() };
  /** Of keys whose calls own credentials served. */
  readonly #ownCosts = new Map<number, Spending>();
  /** The latest day seen: see `today`. */
  #day: number;

  constructor({ balances, spent, ownCosts }: LoadedLedger, mode: BillingMode, clock: Clock) {
    this.#mode = mode;
    this.#clock = clock;
    this.#day = dayOf(clock.now());
    for (const [id, totals] of balances) this.#purses.set(id, new Purse(totals));
    for (const [id, before] of spent.keys) this.#spending.key.set(id, new Spending(this.#day, before));
    for (const [id, before] of spent.projects) this.#spending.project.set(id, new Spending(this.#day, before));
    for (const [id, before] of spent.accounts) this.#spending.account.set(id, new Spending(this.#day, before));
    for (const [id, before] of ownCosts ?? []) this.#ownCosts.set(id, new Spending(this.#day, before));
  }

  /**
   * The UTC day (days since 1970) in which calls are admitted and counted. It never goes back: setting the clock back would
   * otherwise reopen a window whose spending is no longer known, and bypass its budget.
   */
  today(): number {
    const day = dayOf(this.#clock.now());
    if (day > this.#day) this.#day = day;
    return this.#day;
  }

  purse(id: number): Purse {
    let purse = this.#purses.get(id);
    if (purse === undefined) {
      purse = new Purse(null);
      this.#purses.set(id, purse);
    }
    return purse;
  }

  spending(scope: Scope, id: number): Spending {
    let spending = this.#spending[scope].get(id);
    if (spending === undefined) {
      spending = new Spending(this.today());
      this.#spending[scope].set(id, spending);
    }
    return spending;
  }

  /** Counts what a call of a key cost that an own credential served. */
  addOwnCost(keyId: number, cost: Money, day: number): void {
    let costs = this.#ownCosts.get(keyId);
    if (costs === undefined) {
      costs = new Spending(this.today());
      this.#ownCosts.set(keyId, costs);
    }
    costs.add(cost, day);
  }

  async of(scopes: readonly ScopeRef[]): Promise<readonly ScopeMoney[]> {
    return scopes.map((scope) => this.read(scope));
  }

  /** Like `of`, but synchronous. */
  read({ scope, id }: ScopeRef): ScopeMoney {
    const today = this.today();
    const spending = this.#spending[scope].get(id) ?? new Spending(today);
    const isBalanceKept = scope === 'account' && this.#mode !== 'off';
    const ownCosts = scope === 'key' ? this.#ownCosts.get(id) : undefined;
    return {
      balance: isBalanceKept ? (this.#purses.get(id) ?? new Purse(null)).state() : null,
      spent: windowsOf(spending, today),
      ...(ownCosts === undefined ? {} : { ownCost: windowsOf(ownCosts, today) }),
      held: spending.held as Money,
      lastDay: spending.lastDay || null,
    };
  }
}

function windowsOf(spending: Spending, day: number): ScopeMoney['spent'] {
  return {
    day: spending.spent('day', day),
    week: spending.spent('week', day),
    month: spending.spent('month', day),
    total: spending.spent('total', day),
  };
}
