/**
 * Time is a dependency. Code that needs the time of day, a duration or a timer takes a
 * `Clock`, so that a test can advance time without waiting.
 */
export interface Clock {
  /** Wall time, in milliseconds since 1970 UTC. May jump: for dates, never for durations. */
  now(): number;
  /** Monotonic time in milliseconds, with a fraction. For durations and deadlines. */
  monotonic(): number;
  /** Calls `run` once after `delayMs`; the handle does not keep the process alive. */
  after(delayMs: number, run: () => void): Timer;
  /** Calls `run` every `periodMs`; the handle does not keep the process alive. */
  every(periodMs: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

/** A duration as it is reported: milliseconds, rounded to three decimals. The further decimals of a clock mean nothing. */
export function reportedMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}

export function reportedMsOrNull(durationMs: number | null): number | null {
  return durationMs === null ? null : reportedMs(durationMs);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const handle = setTimeout(run, delayMs).unref();
    return { cancel: () => clearTimeout(handle) };
  },
  every(periodMs, run) {
    const handle = setInterval(run, periodMs).unref();
    return { cancel: () => clearInterval(handle) };
  },
};

/** A clock that advances only when a test advances it. */
export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  readonly #pending = new Set<{ dueMs: number; periodMs: number | null; run: () => void }>();

  constructor(wallMs = Date.UTC(2026, 0, 1)) {
    this.#wallMs = wallMs;
  }

  now(): number {
    return this.#wallMs;
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#schedule(delayMs, null, run);
  }

  every(periodMs: number, run: () => void): Timer {
    return this.#schedule(periodMs, periodMs, run);
  }

  /** Moves both clocks forward, running due timers in order. */
  advance(byMs: number): void {
    const endMs = this.#monotonicMs + byMs;
    for (;;) {
      const next = this.#earliestDue(endMs);
      if (next === null) break;
      this.#moveTo(next.dueMs);
      if (next.periodMs === null) this.#pending.delete(next);
      else next.dueMs += next.periodMs;
      next.run();
    }
    this.#moveTo(endMs);
  }

  /** Steps the wall clock alone, as a time server would. */
  stepWall(byMs: number): void {
    this.#wallMs += byMs;
  }

  #schedule(delayMs: number, periodMs: number | null, run: () => void): Timer {
    const entry = { dueMs: this.#monotonicMs + delayMs, periodMs, run };
    this.#pending.add(entry);
    return { cancel: () => void this.#pending.delete(entry) };
  }

  #earliestDue(endMs: number) {
    let earliest: { dueMs: number; periodMs: number | null; run: () => void } | null = null;
    for (const entry of this.#pending) {
      if (entry.dueMs <= endMs && (earliest === null || entry.dueMs < earliest.dueMs)) earliest = entry;
    }
    return earliest;
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }
}
