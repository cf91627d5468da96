/**
 * Lets one writer at a time to a database. SQLite would refuse the others with BUSY, and trying
 * again costs more than waiting here. A write that is synchronous from begin to commit needs only
 * look whether the gate is open; one that spans turns of the event loop, or happens on another
 * thread, holds it.
 */
export class Gate {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  get isOpen(): boolean {
    return !this.#held;
  }

  /** Resolves, first come first served, with the function that lets the next one in. */
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
    // The gate stays shut while it is handed on: nobody may slip through in between.
    if (next === undefined) this.#held = false;
    else next();
  }
}
