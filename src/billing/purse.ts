/** The money of one account, as the bank has it in memory. */
import { assert } from '../core/assert.ts';
import type { Money } from '../core/money.ts';
import type { NewEntry } from './entry.ts';
import type { Balance } from './money-view.ts';
import type { AccountTotals } from './ports.ts';
import { SUM_MAX } from './posting-rules.ts';

export class Purse {
  /** Available and held together. */
  balance: bigint;
  held = 0n;
  #credited: bigint;
  #charged: bigint;

  constructor(totals: AccountTotals | null) {
    this.balance = totals?.balance ?? 0n;
    this.#credited = totals?.credited ?? 0n;
    this.#charged = totals?.charged ?? 0n;
  }

  get available(): Money {
    return (this.balance - this.held) as Money;
  }

  charge(amount: Money): void {
    this.balance -= amount;
    this.#charged += amount;
    assert(this.held >= 0n, 'nothing is released twice');
  }

  /** Whether the balance would stay within the ledger's limits if all of `amount` were charged; always so in prepaid mode. */
  canOwe(amount: Money): boolean {
    return this.balance - this.held - amount >= -SUM_MAX;
  }

  post(entry: NewEntry): void {
    this.balance += entry.amount;
    if (entry.kind === 'refund') this.#charged -= entry.amount;
    else this.#credited += entry.amount;
  }

  state(): Balance {
    return {
      balance: this.balance as Money,
      held: this.held as Money,
      available: this.available,
      credited: this.#credited as Money,
      charged: this.#charged as Money,
    };
  }
}
