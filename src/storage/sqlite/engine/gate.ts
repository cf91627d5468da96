/**
 * Admits one writer at a time to a database. SQLite would refuse the others with BUSY, and retrying
 * costs more than waiting here. A write that is synchronous from begin to commit only needs to
 * check that the gate is open; one that spans turns of the event loop, or happens on another
 * thread, must hold it.
 */
export class Gate {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  get isOpen(): boolean {
    return !this.#held;
  }

  /** Resolves, first come first served, to the function that releases the gate. */
  async acquire(): Promise<() => void> {
    if (this.#held) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#held = true;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#release();
    };
  }

  #release(): void {
    const next = this.#waiting.shift();
    // The gate stays closed during the handover, so that no newcomer gets in.
    if (next === undefined) this.#held = false;
    else next();
  }
}
