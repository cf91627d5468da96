/**
 * Requests and tokens of the last minute, from two counts: the current minute's, and the previous minute's in proportion to
 * how much of it is still less than a minute ago, as if they had been spread evenly.
 * https://blog.cloudflare.com/counting-things-a-lot-of-different-things/
 *
 * A steady rate below a limit always passes. Requests at the very end of the previous minute are undercounted in this one: in
 * the worst case twice the limit passes in 60 s.
 */
import { MINUTE_MS } from './moment.ts';

export class SlidingWindow {
  minute: number;
  requests = 0;
  tokens = 0;
  requestsBefore = 0;
  tokensBefore = 0;

  constructor(minute: number) {
    this.minute = minute;
  }

  moveTo(minute: number): void {
    if (minute === this.minute) return;
    const isNext = minute === this.minute + 1;
    this.requestsBefore = isNext ? this.requests : 0;
    this.tokensBefore = isNext ? this.tokens : 0;
    this.requests = 0;
    this.tokens = 0;
    this.minute = minute;
  }

  /** Subtracts what was counted in `minute`, as far as it still counts; no count goes below 0. */
  uncount(minute: number, requests: number, tokens: number): void {
    if (minute === this.minute) {
      this.requests = Math.max(0, this.requests - requests);
      this.tokens = Math.max(0, this.tokens - tokens);
    } else if (minute === this.minute - 1) {
      this.requestsBefore = Math.max(0, this.requestsBefore - requests);
      this.tokensBefore = Math.max(0, this.tokensBefore - tokens);
    }
  }
}

/** How much counts when `elapsedMs` of the minute have passed; a fraction. */
export function usedOf(before: number, current: number, elapsedMs: number): number {
  return before * (1 - elapsedMs / MINUTE_MS) + current;
}

/** How long until at most `usedMax` counts, ms, if nothing is added. */
export function waitOf(before: number, current: number, usedMax: number, elapsedMs: number): number {
  if (current > 0 && current >= usedMax) return MINUTE_MS - elapsedMs + MINUTE_MS * (1 - usedMax / current);
  return before <= usedMax - current ? 0 : Math.max(0, MINUTE_MS * (1 - (usedMax - current) / before) - elapsedMs);
}

/** How long until nothing counts, ms. */
export function emptyAfter(before: number, current: number, elapsedMs: number): number {
  if (current > 0) return 2 * MINUTE_MS - elapsedMs;
  return before > 0 ? MINUTE_MS - elapsedMs : 0;
}

/**
 * Windows by id, in two generations: an id that was counted in neither this minute nor the previous one is in neither map. No
 * sweep and no timer is needed, and memory is bounded by the ids counted within two minutes.
 */
export class RecentWindows {
  #minute = 0;
  #young = new Map<number, SlidingWindow>();
  #old = new Map<number, SlidingWindow>();

  find(id: number, minute: number): SlidingWindow | undefined {
    if (minute !== this.#minute) this.#turn(minute);
    const found = this.#young.get(id) ?? this.#old.get(id);
    found?.moveTo(minute);
    return found;
  }

  /** Returns the window to count in, and creates it if needed. */
  open(id: number, minute: number): SlidingWindow {
    if (minute !== this.#minute) this.#turn(minute);
    let window = this.#young.get(id);
    if (window === undefined) {
      window = this.#old.get(id) ?? new SlidingWindow(minute);
      this.#young.set(id, window);
    }
    window.moveTo(minute);
    return window;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #turn(minute: number): void {
    this.#old = minute === this.#minute + 1 ? this.#young : new Map();
    this.#young = new Map();
    this.#minute = minute;
  }
}
