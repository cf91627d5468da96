/** Runs heavy work, a few pieces at a time; a limited number waits, and the rest is refused. */

export class ConcurrencyLimit {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #refuse: () => Error;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `refuse` creates the error for work that finds the queue full. */
  constructor(limits: { readonly runningMax: number; readonly waitingMax: number }, refuse: () => Error) {
    this.#runningMax = limits.runningMax;
    this.#waitingMax = limits.waitingMax;
    this.#refuse = refuse;
  }

  /** Resolves or rejects as `work` does. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#runningMax) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= this.#waitingMax) throw this.#refuse();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The slot is handed directly to the next one that waits, so that no newcomer takes it first. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
