/** Calls on many connections end in consecutive turns of the event loop: writing them together costs each of them less. */
const TURNS_MAX = 8;

/**
 * Collects the items of a few turns of the event loop and writes them together: many callers,
 * one transaction. A batch of several items waits as long as each turn adds more, up to `TURNS_MAX` turns;
 * a single item does not wait for others. Writes never overlap: an item added during a write waits for
 * the next one, so that a slow disk makes larger batches instead of a longer queue.
 */
export class Batch<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void> | void;
  #items: Item[] = [];
  /** How many items there were a turn ago, and for how many turns the batch has waited. */
  #known = 0;
  #turns = 0;
  /** Settles with the batch that is being collected, or null. */
  #gathering: PromiseWithResolvers<void> | null = null;
  /** Settles with the batch that is being written, or null. */
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

  /** Resolves when everything added so far has been written; rejects if the last batch could not be. */
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
