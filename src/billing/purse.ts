/** The money of one account, as the bank has it in memory. */
import { assert } from '../core/assert.ts';
import { GatewayError } from '../core/errors.ts';
import { formatUsd, type Money, parseUsd } from '../core/money.ts';
import type { Balance } from './bank.ts';
import type { NewEntry } from './entry.ts';
import type { AccountTotals } from './ports.ts';

/** Room is left for what calls are charged. */
const SUM_MAX = parseUsd('4000000000');

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

  /**
   * Throws `invalid_value` for an entry after which a sum would come near the end of what 64 bits hold in nano-USD,
   * some $9.2 billion: a database would go on with an inexact number.
   */
  checkRoomFor({ amount, kind }: Pick<NewEntry, 'amount' | 'kind'>): void {
    const sums = [this.balance + amount, kind === 'refund' ? this.#charged - amount : this.#credited + amount];
    if (sums.every((sum) => sum <= SUM_MAX && sum >= -SUM_MAX)) return;
    throw new GatewayError('invalid_value', {
      message: `An account's balance and sums stay within $${formatUsd(SUM_MAX)}; this would go beyond.`,
      param: 'amount',
    });
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
