/**
 * Changes to the database, in order; every copy in memory follows it. Changes are numbered consecutively in the order of
 * commits, whichever process made them.
 */
export interface Feed<Topics extends object> {
  /** Within a transaction: adds a change, which is delivered when the transaction commits and never if it is rolled back. `newsOf` gets the change's number; returns what it returns. */
  publish<Topic extends keyof Topics & string>(
    topic: Topic,
    id: string | number,
    newsOf: (seq: number) => Topics[Topic],
  ): Promise<Topics[Topic]>;
  /**
   * Calls back once for each change that this process commits, in order, in the same step as the commit. Returns a function that
   * unsubscribes. The listener must not throw.
   */
  subscribe<Topic extends keyof Topics & string>(topic: Topic, listener: (news: Topics[Topic]) => void): () => void;
  /** Calls the listeners of a topic, for a change that another process committed; see `nodes/feed/`. */
  deliver<Topic extends keyof Topics & string>(topic: Topic, news: Topics[Topic]): void;
  /** Calls back with each change that this process commits, in the same step, before the listeners of its topic. Must not throw. */
  onOwn(listener: (change: OwnChange) => void): void;
  /** The number of the last change; 0 before the first. */
  last(): Promise<number>;
  /** Changes after the number given, in order; null if they are no longer stored, and everything must be read again. */
  since(seq: number, limit: number): Promise<readonly FeedChange[] | null>;
  /** Deletes changes older than the time given, ms. */
  forgetBefore(atMs: number): Promise<void>;
}

/** A change that this process made. */
export type OwnChange = Pick<FeedChange, 'seq' | 'topic' | 'id'>;

/** Says that something changed; its current value is read from its store. */
export interface FeedChange {
  readonly seq: number;
  readonly at: number;
  readonly topic: string;
  readonly id: string;
}

/** A row whose columns this version cannot read: changed by hand, or written by a newer version. It is not trouble of the database. */
export class UnreadableRow extends Error {
  constructor(what: string, id: number | string, cause: unknown) {
    super(`The row of ${what} ${id} in the database cannot be read; correct it.`, { cause });
    this.name = 'UnreadableRow';
  }
}
