/** Calls that come from many connections end in turns that follow each other: a batch of several costs each of them less. */
const TURNS_MAX = 8;

/**
 * Gathers what a few turns of the event loop produce and hands it on in one piece: many callers,
 * one transaction. A batch of several waits for as long as each turn brings more, up to `TURNS_MAX` of them;
 * who is alone does not wait for others. Writes never overlap: what is added while one runs waits for
 * the next, so that a slow disk makes larger batches instead of a longer queue.
 */
export class Batch<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void> | void;
  #items: Item[] = [];
  /** How many items there were a turn ago, and for how many turns the batch has waited. */
  #known = 0;
  #turns = 0;
  /** Settles with the batch that is being gathered; null when nothing is. */
  #gathering: PromiseWithResolvers<void> | null = null;
  /** Settles with the batch that is being written; null when none is. */
  #writing: Promise<void> | null = null;

  constructor(write: (items: readonly Item[]) => Promise<void> | void) {
    this.#write = write;
  }

  /** Resolves when the batch that holds the item has been written; rejects with the cause when that write fails. */
  add(item: Item): Promise<void> {
    this.#items.push(item);
    if (this.#gathering === null) {
      this.#gathering = Promise.withResolvers();
      if (this.#writing === null) setImmediate(this.#turn);
    }
    return this.#gathering.promise;
  }

  /** Resolves when everything added so far has been written; rejects when the last of it could not be. */
  drain(): Promise<void> {
    return this.#gathering?.promise ?? this.#writing ?? Promise.resolve();
  }

  readonly #turn = (): void => {
    const isAlone = this.#items.length === 1;
    const isGrowing = this.#items.length > this.#known;
    if (isAlone || !isGrowing || this.#turns === TURNS_MAX) return this.#flush();
    this.#known = this.#items.length;
    this.#turns += 1;
    setImmediate(this.#turn);
  };

  #flush(): void {
    const gathered = this.#gathering;
    if (gathered === null) return;
    const items = this.#items;
    this.#items = [];
    this.#known = 0;
    this.#turns = 0;
    this.#gathering = null;
    this.#writing = gathered.promise;
    try {
      const written = this.#write(items);
      if (written === undefined) this.#finish(gathered.resolve);
      else
        written.then(
          () => this.#finish(gathered.resolve),
          (error) => this.#finish(() => gathered.reject(error)),
        );
    } catch (error) {
      this.#finish(() => gathered.reject(error));
    }
  }

  #finish(settle: () => void): void {
    this.#writing = null;
    if (this.#gathering !== null) setImmediate(this.#turn);
    settle();
  }
}
