/**
 * Gathers what one turn of the event loop produces and hands it on in one piece: many callers,
 * one transaction. `add` resolves when the batch that holds the item has been written; when the
 * write fails, every item of that batch rejects with the cause.
 */
export class Batch<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void> | void;
  #items: Item[] = [];
  #pending: Promise<void> | null = null;

  constructor(write: (items: readonly Item[]) => Promise<void> | void) {
    this.#write = write;
  }

  add(item: Item): Promise<void> {
    this.#items.push(item);
    this.#pending ??= new Promise((resolve, reject) => {
      setImmediate(() => this.#flush().then(resolve, reject));
    });
    return this.#pending;
  }

  /** Resolves when everything added so far has been written. */
  drain(): Promise<void> {
    return this.#pending ?? Promise.resolve();
  }

  async #flush(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    this.#pending = null;
    await this.#write(items);
  }
}
