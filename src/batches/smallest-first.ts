/** Things by a number that each has: the smallest one is found at once, and adding or removing takes steps as the logarithm of how many there are. */
export class SmallestFirst<Thing> {
  readonly #numberOf: (thing: Thing) => number;
  /** A binary heap: none is smaller than the one at half its place. */
  readonly #heap: Thing[] = [];

  /** `numberOf`: always the same for a thing. */
  constructor(numberOf: (thing: Thing) => number) {
    this.#numberOf = numberOf;
  }

  get size(): number {
    return this.#heap.length;
  }

  get first(): Thing | null {
    return this.#heap[0] ?? null;
  }

  add(thing: Thing): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(thing);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isSmaller(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let at = 0; ; ) {
      let smallest = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < heap.length && this.#isSmaller(below, smallest)) smallest = below;
      if (smallest === at) return;
      this.#swap(at, smallest);
      at = smallest;
    }
  }

  #isSmaller(left: number, right: number): boolean {
    return this.#numberOf(this.#heap[left] as Thing) < this.#numberOf(this.#heap[right] as Thing);
  }

  #swap(left: number, right: number): void {
    const heap = this.#heap;
    [heap[left], heap[right]] = [heap[right] as Thing, heap[left] as Thing];
  }
}
