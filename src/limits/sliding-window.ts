/**
 * Requests and tokens of the last minute, from two counts: those of this minute, and those of the minute before
 * by as much of it as is still less than a minute ago, as if they had come evenly.
 * https://blog.cloudflare.com/counting-things-a-lot-of-different-things/
 *
 * A steady rate below a limit always passes. What came at the very end of the minute before is counted too low in
 * this one: at worst twice the limit passes in 60 s.
 */
import { MINUTE_MS } from './moment.ts';

class SlidingWindow {
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

  /** Takes back what was counted in `minute`, as far as it still counts; no count goes below 0. */
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

/** How much counts when `elapsedMs` of the minute are over; a fraction. */
export function usedOf(before: number, current: number, elapsedMs: number): number {
  return before * (1 - elapsedMs / MINUTE_MS) + current;
}

/** How long until no more than `room` counts, ms, if nothing more comes. */
export function waitOf(before: number, current: number, room: number, elapsedMs: number): number {
  if (current > 0 && current >= room) return MINUTE_MS - elapsedMs + MINUTE_MS * (1 - room / current);
  return before <= room - current ? 0 : Math.max(0, MINUTE_MS * (1 - (room - current) / before) - elapsedMs);
}

/** How long until nothing counts, ms. */
export function emptyAfter(before: number, current: number, elapsedMs: number): number {
  if (current > 0) return 2 * MINUTE_MS - elapsedMs;
  return before > 0 ? MINUTE_MS - elapsedMs : 0;
}

/**
 * Windows by id, forgotten by generations: an id that was counted in neither this minute nor the one before is in neither
 * map. So nothing is swept, no timer is held, and memory is bounded by the ids counted within two minutes.
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

  /** To count in. */
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
