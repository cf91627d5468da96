/**
 * Turns of the event loop, one for each who asks: of many things that arrive together and can wait, such as the requests
 * of a page, each is done in a turn of its own, and what cannot wait comes in between.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in a turn that is later than this one, and that it is resolved in for nobody else. First come, first served. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#turn);
    });
  }

  readonly #turn = (): void => {
    const resolve = this.#waiting.shift();
    // What is armed here runs after the loop has looked for what has arrived meanwhile.
    if (this.#waiting.length > 0) setImmediate(this.#turn);
    resolve?.();
  };
}
