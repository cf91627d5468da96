/**
 * Lets the transactions of this process run one after the other; none waits longer than a bound. Whoever asks has a line of their own, and
 * the lines take turns: one person's thousand changes delay another's by one change each. Urgent ones come first.
 */

import { type Clock, systemClock, type Timer } from '../../../core/clock.ts';
import type { ChangeTurn } from '../../../core/transactions.ts';
import { DatabaseBusy } from './postgres-errors.ts';

const WAIT_MS = 10_000;
/** After so many urgent ones in a row another one runs, so that nobody can hold up everything with revocations. */
const URGENT_ROW = 8;

interface Waiting {
  readonly begin: () => void;
  readonly timer: Timer;
}

export class WriteTurns {
  readonly #waitMs: number;
  readonly #clock: Pick<Clock, 'after'>;
  #isTaken = false;
  readonly #urgent = new Lines();
  readonly #others = new Lines();
  #urgentRow = 0;

  /** Real time by default, as for every limit of a connection. */
  constructor(waitMs = WAIT_MS, clock: Pick<Clock, 'after'> = systemClock) {
    this.#waitMs = waitMs;
    this.#clock = clock;
  }

  /** Resolves to the function that ends the turn; calling it again does nothing. Throws `DatabaseBusy` if it takes too long. */
  async take(turn: ChangeTurn): Promise<() => void> {
    if (this.#isTaken) await this.#wait(turn);
    this.#isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#end();
    };
  }

  #wait({ by, isUrgent }: ChangeTurn): Promise<void> {
    const lines = isUrgent ? this.#urgent : this.#others;
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: resolve,
        timer: this.#clock.after(this.#waitMs, () => {
          lines.leave(by, waiting);
          reject(new DatabaseBusy('other changes have kept the database busy for too long; try again'));
        }),
      };
      lines.join(by, waiting);
    });
  }

  #end(): void {
    const next = this.#next();
    // The turn stays taken during the handover, so that no newcomer gets in.
    if (next === undefined) this.#isTaken = false;
    else {
      next.timer.cancel();
      next.begin();
    }
  }

  #next(): Waiting | undefined {
    const isOthersTurn = this.#urgentRow >= URGENT_ROW && !this.#others.isEmpty;
    const next = isOthersTurn ? undefined : this.#urgent.next();
    this.#urgentRow = next === undefined ? 0 : this.#urgentRow + 1;
    return next ?? this.#others.next();
  }
}

/** A line for each who waits; the first of each line in turn. */
class Lines {
  /** The line whose turn is next comes first. */
  readonly #lines = new Map<string, Set<Waiting>>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  join(by: string, waiting: Waiting): void {
    const line = this.#lines.get(by);
    if (line === undefined) this.#lines.set(by, new Set([waiting]));
    else line.add(waiting);
  }

  leave(by: string, waiting: Waiting): void {
    const line = this.#lines.get(by);
    if (line?.delete(waiting) === true && line.size === 0) this.#lines.delete(by);
  }

  next(): Waiting | undefined {
    for (const [by, line] of this.#lines) {
      const [first] = line;
      this.#lines.delete(by);
      if (first === undefined) continue;
      line.delete(first);
      if (line.size > 0) this.#lines.set(by, line);
      return first;
    }
    return undefined;
  }
}
