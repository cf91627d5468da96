/** Lets the transactions of this process run one after the other, first come first served. */
export class WriteTurns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves to the function that ends the turn; calling it again does nothing. */
  async take(): Promise<() => void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#end();
    };
  }

  #end(): void {
    const next = this.#waiting.shift();
    // The turn stays taken during the handover, so that no newcomer gets in.
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
