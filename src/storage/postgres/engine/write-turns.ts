/** Lets the transactions of this process run one after the other, first come first served; none waits longer than a bound. */
import { type Clock, systemClock, type Timer } from '../../../core/clock.ts';
import { DatabaseBusy } from './postgres-errors.ts';

const WAIT_MS = 10_000;

interface Waiting {
  readonly begin: () => void;
  readonly timer: Timer;
}

export class WriteTurns {
  readonly #waitMs: number;
  readonly #clock: Pick<Clock, 'after'>;
  #isTaken = false;
  readonly #waiting = new Set<Waiting>();

  /** Real time by default, as for every limit of a connection. */
  constructor(waitMs = WAIT_MS, clock: Pick<Clock, 'after'> = systemClock) {
    this.#waitMs = waitMs;
    this.#clock = clock;
  }

  /** Resolves to the function that ends the turn; calling it again does nothing. Throws `DatabaseBusy` if it takes too long. */
  async take(): Promise<() => void> {
    if (this.#isTaken) await this.#wait();
    this.#isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#end();
    };
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: resolve,
        timer: this.#clock.after(this.#waitMs, () => {
          this.#waiting.delete(waiting);
          reject(new DatabaseBusy('other changes have kept the database busy for too long; try again'));
        }),
      };
      this.#waiting.add(waiting);
    });
  }

  #end(): void {
    const [next] = this.#waiting;
    // The turn stays taken during the handover, so that no newcomer gets in.
    if (next === undefined) this.#isTaken = false;
    else {
      this.#waiting.delete(next);
      next.timer.cancel();
      next.begin();
    }
  }
}
