/** The money of one account, as the bank has it in memory. */
import { assert } from '../core/assert.ts';
import { GatewayError } from '../core/errors.ts';
import { formatUsd, type Money, parseUsd } from '../core/money.ts';
import type { Balance } from './bank.ts';
import type { NewEntry } from './entry.ts';
import type { AccountTotals } from './ports.ts';

/**
 * What was credited and what is owed stay within this each, so that what was charged stays within twice as much: 64 bits hold
 * $9.2 billion.
 */
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
    const isRefund = kind === 'refund';
    const sum = isRefund ? this.#charged : this.#credited;
    if (mayMove(this.balance, amount) && mayMove(sum, isRefund ? -amount : amount)) return;
    throw new GatewayError('invalid_value', {
      message: `An account's balance and sums stay within $${formatUsd(SUM_MAX)}; this would go beyond.`,
      param: 'amount',
    });
  }

  /** Whether all of `amount` could be charged and the balance stay within what the ledger can keep: prepaid, always. */
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

/** What lies beyond the limit already, from before there was one, may come nearer to it. */
function mayMove(sum: bigint, by: bigint): boolean {
  return by > 0n ? sum + by <= SUM_MAX : sum + by >= -SUM_MAX;
}
