/**
 * Gives each caller its own turn of the event loop: of many tasks that arrive together and can wait, such as the requests
 * of a page, each runs in a separate turn, and urgent work runs in between.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in a later turn, in which it resolves for nobody else. First come, first served. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#turn);
    });
  }

  readonly #turn = (): void => {
    const resolve = this.#waiting.shift();
    // The loop polls for input before it runs what is scheduled here.
    if (this.#waiting.length > 0) setImmediate(this.#turn);
    resolve?.();
  };
}
