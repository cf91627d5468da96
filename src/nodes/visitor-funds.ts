/** The money of a process that takes no calls: nothing is lent to it, and what entries need is recalled from the nodes. */
import type { Funds } from '../billing/lent/funds.ts';
import type { MoneyView } from '../billing/money-view.ts';
import { AssertionFailed } from '../core/assert.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { VisitorBank } from './ports.ts';

/** A node hears of a recall with its next pulse, at the latest after 250 ms. */
const PATIENCE_MS = 2_000;
const ASK_AGAIN_MS = 50;

export class VisitorFunds implements Funds {
  readonly #bank: VisitorBank;
  readonly #clock: Clock;

  constructor(bank: VisitorBank, clock: Clock) {
    this.#bank = bank;
    this.#clock = clock;
  }

  get money(): MoneyView {
    return this.#bank.money;
  }

  today(): number {
    return dayOf(this.#clock.now());
  }

  leaseOfNone(): never {
    return takesNoCalls();
  }

  take(): never {
    return takesNoCalls();
  }

  takeMore(): never {
    return takesNoCalls();
  }

  knownRefusal(): null {
    return null;
  }

  async collect(accountId: AccountId, amount: Money): Promise<boolean> {
    const endMs = this.#clock.monotonic() + PATIENCE_MS;
    for (;;) {
      const { free, lent } = await this.#bank.recall(accountId);
      if (free >= amount) return true;
      if (free + lent < amount || this.#clock.monotonic() >= endMs) return false;
      await new Promise<void>((resolve) => this.#clock.after(ASK_AGAIN_MS, resolve));
    }
  }

  changed(): void {
    // Nothing is remembered here; nodes follow the feed.
  }
}

function takesNoCalls(): never {
  throw new AssertionFailed('a command takes no calls');
}
