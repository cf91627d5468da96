import { AsyncLocalStorage } from 'node:async_hooks';

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

/**
 * On whose behalf a change is made. Transactions run one at a time; those that wait are served in turn, so that nobody waits for the many
 * changes of another, and what ends an access (a revocation) comes before what does not.
 */
export interface ChangeTurn {
  /** Whoever waits as one: `user:7`, `account:3`. */
  readonly by: string;
  /** Whether it takes something away, such as a key. */
  readonly isUrgent: boolean;
}

/** The program itself: no request. */
const OWN: ChangeTurn = { by: '', isUrgent: false };

const current = new AsyncLocalStorage<ChangeTurn>();

/** Runs `work`, whose changes wait as `turn` says. */
export function asChangeOf<Result>(turn: ChangeTurn, work: () => Result): Result {
  return current.run(turn, work);
}

/** How a change of the running code waits. */
export function changeTurn(): ChangeTurn {
  return current.getStore() ?? OWN;
}
