/**
 * The database's time on a node, so that nodes whose own clocks differ agree on days, windows and the age of things. Between two
 * measurements it is carried on by the node's monotonic clock, so a step of the node's own wall clock changes nothing.
 *
 * A measurement is as uncertain as its answer was slow: the database read its clock at some time between the question and the
 * answer. The clock moves the least that agrees with the measurement, so that slow answers do not shake it. Forward it moves at
 * once. Backward it never moves: it runs at half speed until it has lost what it was ahead. Only if it is more than
 * `STEP_MS` ahead (a database that was moved to a machine with another time) it steps back, and reports that.
 */
import type { Clock, Timer } from '../../core/clock.ts';

/** What a clock elsewhere said. Monotonic ms of this process, except `now`: wall time there, ms. */
export interface TimeSample {
  readonly now: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** Further ahead than this, waiting for the database's time to catch up would take too long. */
export const STEP_MS = 10_000;
/** While it is ahead, it advances by one millisecond in this many. */
const SLOWED = 2;

export class SyncedClock implements Clock {
  readonly #own: Clock;
  readonly #onStep: (byMs: number) => void;
  /** Wall time and monotonic time of the last measurement; null before the first. */
  #anchor: { readonly wall: number; readonly monotonic: number } | null = null;
  /** How far it was ahead of the database at the last measurement. */
  #ahead = 0;

  /** `onStep` is called with each step of more than `STEP_MS`, after the first measurement. */
  constructor(own: Clock, onStep: (byMs: number) => void = () => undefined) {
    this.#own = own;
    this.#onStep = onStep;
  }

  /** The process's own clock until the first measurement. */
  now(): number {
    const anchor = this.#anchor;
    if (anchor === null) return this.#own.now();
    const elapsed = this.#own.monotonic() - anchor.monotonic;
    return Math.floor(anchor.wall + elapsed + Math.max(0, this.#ahead - elapsed / SLOWED));
  }

  monotonic(): number {
    return this.#own.monotonic();
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#own.after(delayMs, run);
  }

  every(periodMs: number, run: () => void): Timer {
    return this.#own.every(periodMs, run);
  }

  /** Takes the time of a database that is asked only now; null leaves the clock alone. */
  async askOnce(database: { now(): Promise<number> } | null): Promise<void> {
    if (database === null) return;
    const askedAt = this.#own.monotonic();
    const now = await database.now();
    this.sync({ now, askedAt, answeredAt: this.#own.monotonic() });
  }

  /** Ignores a sample that was answered before it was asked. */
  sync({ now, askedAt, answeredAt }: TimeSample): void {
    if (answeredAt < askedAt) return;
    const monotonic = this.#own.monotonic();
    // What the database's clock shows now, at the least and at the most.
    const earliest = now + (monotonic - answeredAt);
    const latest = now + (monotonic - askedAt);
    if (this.#anchor === null) {
      this.#set((earliest + latest) / 2, monotonic, 0);
      return;
    }
    const elapsed = monotonic - this.#anchor.monotonic;
    const believed = this.#anchor.wall + elapsed;
    const shown = believed + Math.max(0, this.#ahead - elapsed / SLOWED);
    const wall = Math.min(latest, Math.max(earliest, believed));
    const ahead = shown - wall;
    if (Math.abs(ahead) > STEP_MS) {
      this.#set(wall, monotonic, 0);
      this.#onStep(-ahead);
    } else this.#set(wall, monotonic, Math.max(0, ahead));
  }

  #set(wall: number, monotonic: number, ahead: number): void {
    this.#anchor = { wall, monotonic };
    this.#ahead = ahead;
  }
}
