/** What is to change of a thing. */
export type ChangesOf<Thing, Changes> =
  | Changes
  /** Asked when the turn has come, of the thing as it then stands: what depends on it loses nothing of the change before. */
  | ((thing: Thing) => Changes);

/** Throws what the request would be refused with if it came now. */
export type CheckStill = () => Promise<void> | void;

/**
 * Changes in turn: the next begins when the one before is in the store and in memory. Two at once
 * could reach memory in the other order than the store, and a revoked key would be good again.
 */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * What `change` resolves to, or its error, which stops none of those that wait. `checkStill` is asked when the turn has come:
   * whoever asked for the change may have lost the right to it while it waited.
   */
  run<Result>(change: () => Promise<Result>, checkStill: CheckStill = ignore): Promise<Result> {
    const result = this.#last.then(async () => {
      await checkStill();
      return change();
    });
    this.#last = result.catch(ignore);
    return result;
  }
}

/** The error is told to who asked for the change. */
function ignore(): void {}
