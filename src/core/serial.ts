/** Work done one piece at a time: each begins when the one before has ended, however it ended. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  /** What `work` resolves to, or its error, which stops none of those that wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(ignore);
    return result;
  }
}

/** The error belongs to the caller that asked for the work. */
function ignore(): void {}
