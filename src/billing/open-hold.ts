/** A hold as the bank of one node keeps it: whose money it is, and which of its rows are on disk. */
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
  /** Set once a row of it is being written; settles when the write does. */
  row: Promise<void> | null = null;
  isFinished = false;
  /** The settlement that applies if no settlement row is ever written. */
  crashed: Settlement | null = null;
  /** The UTC day (days since 1970) in whose windows it counts. */
  readonly day: number;
  /** The root of the key's chain of rotations. */
  readonly keyId: number;
  readonly purse: Purse;
  readonly key: Spending;
  readonly project: Spending;
  readonly account: Spending;

  get refused(): null {
    return null;
  }

  constructor(
    { day, keyId }: Pick<OpenHold, 'day' | 'keyId'>,
    purse: Purse,
    key: Spending,
    project: Spending,
    account: Spending,
  ) {
    this.day = day;
    this.keyId = keyId;
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

/** Narrows a call's hold to the bank's own class. */
export function openHold(hold: Hold): OpenHold {
  assert(hold instanceof OpenHold, 'a hold comes from this bank');
  return hold;
}
