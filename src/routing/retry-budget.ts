/**
 * How many further attempts all calls of this process may make: a share of the calls, so that a failing provider is not asked many
 * times as often as usual when it can bear it least; and a few in any case, so that a quiet installation may retry. No account may use
 * all of them while others call: its calls may fail for a reason of its own.
 */
import type { Clock } from '../core/clock.ts';
import type { AccountId } from '../core/ids.ts';
import { SlidingCounts } from './sliding-counts.ts';

const WINDOW_MS = 10_000;
const SLOTS = 10;
const SHARE = 0.2;
const AT_LEAST = 3;
const CALLS = 0;
const RETRIES = 1;
/** What one account may use while others call, so that at least one is always left for these. */
const SHARE_OF_ONE = 0.75 * SHARE;
const AT_LEAST_OF_ONE = AT_LEAST - 1;
/** The number of accounts at which those that have not called lately are forgotten. */
const REMEMBERED_MIN = 1024;

export class RetryBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #all = countsOfWindow();
  readonly #accounts = new Map<AccountId, SlidingCounts>();
  #rememberedMax = REMEMBERED_MIN;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The number of accounts whose calls are counted apart. */
  get remembered(): number {
    return this.#accounts.size;
  }

  /** A call of the account makes its first attempt. */
  countCall(account: AccountId): void {
    const nowMs = this.#clock.monotonic();
    this.#all.add(nowMs, CALLS);
    this.#of(account, nowMs).add(nowMs, CALLS);
  }

  /** Whether no call of the account may make another attempt now. */
  isSpent(account: AccountId): boolean {
    const nowMs = this.#clock.monotonic();
    const calls = this.#all.sum(nowMs, CALLS);
    if (this.#all.sum(nowMs, RETRIES) + 1 > Math.max(AT_LEAST, calls * SHARE)) return true;
    const own = this.#of(account, nowMs);
    const ownCalls = own.sum(nowMs, CALLS);
    if (ownCalls === calls) return false;
    return own.sum(nowMs, RETRIES) + 1 > Math.max(AT_LEAST_OF_ONE, ownCalls * SHARE_OF_ONE);
  }

  /** A call of the account makes another attempt. */
  take(account: AccountId): void {
    const nowMs = this.#clock.monotonic();
    this.#all.add(nowMs, RETRIES);
    this.#of(account, nowMs).add(nowMs, RETRIES);
  }

  #of(account: AccountId, nowMs: number): SlidingCounts {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    if (this.#accounts.size >= this.#rememberedMax) this.#forgetQuiet(nowMs);
    const counts = countsOfWindow();
    this.#accounts.set(account, counts);
    return counts;
  }

  #forgetQuiet(nowMs: number): void {
    for (const [account, counts] of this.#accounts)
      if (counts.sum(nowMs, CALLS) + counts.sum(nowMs, RETRIES) === 0) this.#accounts.delete(account);
    this.#rememberedMax = Math.max(REMEMBERED_MIN, 2 * this.#accounts.size);
  }
}

function countsOfWindow(): SlidingCounts {
  return new SlidingCounts({ slotMs: WINDOW_MS / SLOTS, slots: SLOTS, kinds: 2 });
}
