/**
 * Sheds new calls while the gateway has more to do than it can: its event loop is late, its memory nearly used up, or its
 * descriptors are. It looks twice a second, and only while calls come. What it sheds is shared out: of what was offered in the last
 * half second a part is admitted, and who offers little keeps all of it (`fair-level.ts`).
 */
import type { Clock, Timer } from '../../core/clock.ts';
import type { FullShare } from '../../core/fair-shares.ts';
import type { CallShares, KeyShare } from './call-shares.ts';
import { fairLevel } from './fair-level.ts';

/** What the gateway lacks, as metrics and errors name it. */
export type Shortage = 'in_flight' | 'arriving' | 'loop_delay' | 'memory' | 'descriptors';
export const SHORTAGES = ['in_flight', 'arriving', 'loop_delay', 'memory', 'descriptors'] as const satisfies Shortage[];

export interface LoadMeasures {
  /** How long the event loop's turns took since the last time it was asked: the 99th percentile, ms. */
  loopDelayMs(): number;
  /** The part of its memory that the process uses, 0 to 1. */
  memoryUse(): number;
}

/** For what has no load of its own. */
export const NO_LOAD: LoadMeasures = { loopDelayMs: () => 0, memoryUse: () => 0 };

export interface LoadLimits {
  /** `limits.loopDelayMs`: from here on half of new calls are shed, from five times as much all. */
  readonly loopDelayMs: number;
}

const WINDOW_MS = 500;
const ALL_OF_LOOP_DELAY = 5;
const MEMORY_SOME = 0.85;
const MEMORY_ALL = 0.92;
/** While fewer calls come in a window, calls are not what takes the time. */
const OFFERED_MIN = 8;
const PART_MIN = 1 / 16;
/** How fast calls are let in again, per window. */
const RECOVERY = 1.5;

export interface Shed {
  readonly shortage: Shortage;
  readonly binding: FullShare;
}

export class LoadGuard {
  /** Whether there are more connections than the descriptors allow: then calls are shed until some have closed. */
  crowded = false;
  readonly #clock: Clock;
  readonly #measures: LoadMeasures;
  readonly #limits: () => LoadLimits;
  readonly #shares: CallShares;
  #timer: Timer | null = null;
  #window = 0;
  #offered = 0;
  /** The part of what is offered that is admitted. */
  #part = 1;
  #shortage: 'loop_delay' | 'memory' = 'loop_delay';
  /** What each account may have admitted in this window. */
  #accountLevel = Number.POSITIVE_INFINITY;
  #loopDelayMs = 0;
  #memoryUse = 0;
  readonly #shed = new Map<Shortage, number>(SHORTAGES.map((shortage) => [shortage, 0]));

  constructor(clock: Clock, measures: LoadMeasures, limits: () => LoadLimits, shares: CallShares) {
    this.#clock = clock;
    this.#measures = measures;
    this.#limits = limits;
    this.#shares = shares;
  }

  /** Counts a new call; what it is shed for, or null. */
  judge(share: KeyShare): Shed | null {
    if (this.#timer === null) this.#begin();
    this.#offered += 1;
    share.offer(this.#window);
    share.account.offer(this.#window);
    if (this.crowded) return { shortage: 'descriptors', binding: 'installation' };
    if (this.#part === 1) return null;
    const binding = this.#full(share);
    if (binding !== null) return { shortage: this.#shortage, binding };
    share.admitted += 1;
    share.account.admitted += 1;
    return null;
  }

  /** Counts a call that was shed, for metrics. */
  noteShed(shortage: Shortage): void {
    this.#shed.set(shortage, (this.#shed.get(shortage) ?? 0) + 1);
  }

  get view(): LoadView {
    const isResting = this.#timer === null;
    return {
      admittedPart: this.crowded ? 0 : this.#part,
      shortage: this.crowded ? 'descriptors' : this.#part < 1 ? this.#shortage : null,
      loopDelayMs: isResting ? 0 : this.#loopDelayMs,
      memoryUse: isResting ? this.#measures.memoryUse() : this.#memoryUse,
      shed: this.#shed,
    };
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #full(share: KeyShare): FullShare | null {
    if (this.#part === 0) return 'installation';
    const { account } = share;
    if (account.admitted >= this.#accountLevel) return 'account';
    return share.admitted >= account.keyLevel ? 'key' : null;
  }

  #begin(): void {
    // What happened while nobody called is of no interest.
    this.#measures.loopDelayMs();
    this.#loopDelayMs = 0;
    this.#memoryUse = 0;
    this.#timer = this.#clock.every(WINDOW_MS, () => this.#look());
  }

  #look(): void {
    const offered = this.#offered;
    const delayMs = this.#measures.loopDelayMs();
    const use = this.#measures.memoryUse();
    // One long turn, such as a garbage collection, is no overload: both halves of the last second have to be long.
    const sustainedMs = Math.min(delayMs, this.#loopDelayMs);
    const sustainedUse = Math.min(use, this.#memoryUse);
    this.#loopDelayMs = delayMs;
    this.#memoryUse = use;
    this.#part = this.#nextPart(sustainedMs, sustainedUse);
    this.#shareOut(offered);
    this.#offered = 0;
    this.#window += 1;
    if (offered === 0 && this.#part === 1) this.close();
  }

  #nextPart(delayMs: number, use: number): number {
    const { loopDelayMs } = this.#limits();
    const isLate = delayMs > loopDelayMs;
    const isFull = use > MEMORY_SOME;
    if (isFull) this.#shortage = 'memory';
    else if (isLate) this.#shortage = 'loop_delay';
    if (use > MEMORY_ALL || delayMs > ALL_OF_LOOP_DELAY * loopDelayMs) return 0;
    if (isFull || isLate) return Math.max(PART_MIN, this.#part / 2);
    return this.#part === 0 ? 1 / 2 : Math.min(1, this.#part * RECOVERY);
  }

  /** Sets the levels of the next window by what was offered in this one. */
  #shareOut(offered: number): void {
    this.#accountLevel = Number.POSITIVE_INFINITY;
    if (this.#part === 1 || this.#part === 0) return;
    const window = this.#window;
    const keysOf = new Map<object, number[]>();
    const accounts = [...this.#shares.accounts()].filter((account) => account.window === window);
    for (const account of this.#shares.accounts()) account.keyLevel = Number.POSITIVE_INFINITY;
    if (offered < OFFERED_MIN) return;
    this.#accountLevel = fairLevel(
      accounts.map((account) => account.offered),
      Math.ceil(offered * this.#part),
    );
    for (const key of this.#shares.keys()) {
      if (key.window !== window) continue;
      const keys = keysOf.get(key.account) ?? [];
      keysOf.set(key.account, keys);
      keys.push(key.offered);
    }
    for (const account of accounts) account.keyLevel = fairLevel(keysOf.get(account) ?? [], this.#accountLevel);
  }
}

export interface LoadView {
  /** 1 if nothing is shed for the load. */
  readonly admittedPart: number;
  /** What is lacking; null if nothing is. */
  readonly shortage: Shortage | null;
  /** Of the last half second with calls: the 99th percentile of the event loop's turns. */
  readonly loopDelayMs: number;
  /** 0 to 1. */
  readonly memoryUse: number;
  /** Calls shed since the start. */
  readonly shed: ReadonlyMap<Shortage, number>;
}
