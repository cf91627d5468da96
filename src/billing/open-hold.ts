/** A hold as the bank of one node keeps it: whose money it is, and what is on the disk of it. */
import { assert } from '../core/assert.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { Hold } from './bank.ts';
import type { Purse } from './purse.ts';
import type { Spending } from './spending.ts';

export class OpenHold implements Hold {
  amount: Money = NO_MONEY;
  recorded: Money | null = null;
  outputCap: number | null = null;
  /** Set once a row of it is to be written; settles with that. */
  row: Promise<void> | null = null;
  isFinished = false;
  /** The settlement that stands if no settlement row is ever written. */
  crashed: Settlement | null = null;
  /** In whose windows it counts. */
  readonly day: number;
  readonly purse: Purse;
  readonly key: Spending;
  readonly project: Spending;
  readonly account: Spending;

  get refused(): null {
    return null;
  }

  constructor(day: number, purse: Purse, key: Spending, project: Spending, account: Spending) {
    this.day = day;
    this.purse = purse;
    this.key = key;
    this.project = project;
    this.account = account;
  }

  take(amount: Money): void {
    if (this.recorded !== null) this.purse.held += amount;
    this.key.held += amount;
    this.project.held += amount;
    this.account.held += amount;
  }

  release(charge: Money): void {
    const { amount, day } = this;
    if (this.recorded !== null) {
      this.purse.held -= amount;
      this.purse.charge(charge);
    }
    this.key.held -= amount;
    this.project.held -= amount;
    this.account.held -= amount;
    this.key.add(charge, day);
    this.project.add(charge, day);
    this.account.add(charge, day);
  }
}

/** The bank's own of what a call holds. */
export function openHold(hold: Hold): OpenHold {
  assert(hold instanceof OpenHold, 'a hold comes from this bank');
  return hold;
}
