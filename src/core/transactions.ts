/**
 * One database transaction across several stores: everything written in it is committed, or nothing. Every store call made
 * while the work runs is part of it, so no handle is passed around. Transactions run one at a time: what one reads does not
 * change until it ends.
 */
export interface Transactions {
  /**
   * Commits what `work` wrote, then resolves to its result; if it throws, rolls everything back and throws the same error. Within
   * another transaction it is part of that one, which can no longer commit once a part of it has failed.
   *
   * A database may run the work a second time, with nothing of the first run written: it must change nothing but the stores, and
   * await nothing but them, because every other transaction waits meanwhile.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether the running code is within a transaction. */
  readonly isOpen: boolean;
  /** Calls back in the same step as the commit, before another transaction begins; never if it is rolled back. Must not throw. */
  afterCommit(effect: () => void): void;
}
