/** A machine's clock: off by some time, too fast or too slow, and stopped while the machine is paused. */
import type { Clock, ManualClock, Timer } from '../../../src/core/clock.ts';

export class SkewedClock implements Clock {
  readonly #true: ManualClock;
  readonly #offsetMs: number;
  readonly #rate: number;
  /** What was due while the machine was paused, in order; null while it runs. */
  #due: (() => void)[] | null = null;
  #isDead = false;

  /** `rate`: how fast it runs; 1 is right. */
  constructor(trueClock: ManualClock, offsetMs: number, rate: number) {
    this.#true = trueClock;
    this.#offsetMs = offsetMs;
    this.#rate = rate;
  }

  now(): number {
    return Math.round(this.#true.now() + this.#offsetMs + (this.#rate - 1) * this.#true.monotonic());
  }

  monotonic(): number {
    return this.#true.monotonic() * this.#rate;
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#true.after(delayMs / this.#rate, () => this.arrives(run));
  }

  every(periodMs: number, run: () => void): Timer {
    return this.#true.every(periodMs / this.#rate, () => this.arrives(run));
  }

  /** Something happens at the machine: when it goes on, if it is paused, and never if its process is gone. */
  arrives(run: () => void): void {
    if (this.#isDead) return;
    if (this.#due === null) run();
    else this.#due.push(run);
  }

  get isPaused(): boolean {
    return this.#due !== null;
  }

  pause(): void {
    this.#due ??= [];
  }

  goOn(): void {
    const due = this.#due ?? [];
    this.#due = null;
    for (const run of due) this.arrives(run);
  }

  /** The process is gone. */
  die(): void {
    this.#isDead = true;
    this.#due = null;
  }
}
