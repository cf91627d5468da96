/** Work done one piece at a time: each begins when the one before has ended, however it ended. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does; an error does not stop the work that waits. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(ignore);
    return result;
  }
}

/** The caller that requested the work gets the error. */
function ignore(): void {}
