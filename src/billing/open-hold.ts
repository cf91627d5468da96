/** A hold as a bank keeps it: whose money it is, and which of its rows are on disk. */
import { assert } from '../core/assert.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { Hold } from './bank.ts';
import type { CallLease } from './ports.ts';
import type { Purse } from './purse.ts';
import type { Spending } from './spending.ts';

export abstract class OpenHold implements Hold {
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

  constructor(day: number, keyId: number) {
    this.day = day;
    this.keyId = keyId;
  }

  get refused(): null {
    return null;
  }

  /** As what its money was lent to this node; null if the process has all money itself. */
  abstract get lease(): CallLease | null;

  /** Ends the hold: what it had is free again but for the charge. */
  abstract release(charge: Money): void;
}

/** A hold of a process that has all balances itself. */
export class OwnHold extends OpenHold {
  readonly purse: Purse;
  readonly key: Spending;
  readonly project: Spending;
  readonly account: Spending;

  constructor(day: number, keyId: number, purse: Purse, key: Spending, project: Spending, account: Spending) {
    super(day, keyId);
    this.purse = purse;
    this.key = key;
    this.project = project;
    this.account = account;
  }

  get lease(): null {
    return null;
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

/** Narrows a call's hold to what every bank makes. */
export function openHold(hold: Hold): OpenHold {
  assert(hold instanceof OpenHold, 'a hold comes from this bank');
  return hold;
}

/** Narrows a call's hold to that of a process that has all balances itself. */
export function ownHold(hold: Hold): OwnHold {
  assert(hold instanceof OwnHold, 'a hold comes from this bank');
  return hold;
}
