/**
 * One transaction of the database around several stores: all of what is written within it, or nothing. Whatever a store is
 * asked while the work runs is part of it, so nothing has to be passed on. Transactions take turns: what one reads stays as it is until
 * its end.
 */
export interface Transactions {
  /**
   * Commits what `work` wrote, then resolves to what it gave; undoes all of it where it throws, and throws the same. Within
   * another transaction it is part of that one, which cannot be committed any more once a part of it failed.
   *
   * A database may ask for the work a second time, with nothing of the first time written: it changes nothing but what the stores hold, and
   * waits for nothing but them, for every other transaction waits meanwhile.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether what runs is within a transaction. */
  readonly isOpen: boolean;
  /** Calls back in the same step as the commit, before another transaction begins; never where it is undone. Must not throw. */
  afterCommit(effect: () => void): void;
}
