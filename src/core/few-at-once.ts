/** Work that is heavy: a few at a time, a bounded number that waits, and a refusal for the rest. */

export class FewAtOnce {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #refuse: () => Error;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `refuse` makes the error for what finds no room to wait. */
  constructor(limits: { readonly runningMax: number; readonly waitingMax: number }, refuse: () => Error) {
    this.#runningMax = limits.runningMax;
    this.#waitingMax = limits.waitingMax;
    this.#refuse = refuse;
  }

  /** What `work` resolves to, or its error. */
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

  /** The place is handed on while it is taken: nobody slips in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
