/**
 * What changed in the database, in order: whoever keeps a copy in memory follows it. Each change has a number, which counts up by one in
 * the order of commits, whichever process made it.
 */
export interface Feed<Topics extends object> {
  /** Within a transaction: the number of the change, which is delivered when that commits, and never where it is undone. */
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
  /** The number of the last change; 0 before the first. */
  last(): Promise<number>;
  /** What changed after a number, in order; null where it is not kept any more: then everything is to be read anew. */
  since(seq: number, limit: number): Promise<readonly FeedChange[] | null>;
  /** Forgets what is older than a time. */
  forgetBefore(atMs: number): Promise<void>;
}

/** That something changed; what it is now is read from its store. */
export interface FeedChange {
  readonly seq: number;
  readonly at: number;
  readonly topic: string;
  readonly id: string;
}
