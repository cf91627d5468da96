/** Which lines of a batch have their result in one of its files. */
export class DoneLines {
  readonly #isDone: Uint8Array;
  #completed = 0;
  #failed = 0;

  constructor(total: number) {
    this.#isDone = new Uint8Array(total);
  }

  get total(): number {
    return this.#isDone.length;
  }

  /** Lines with an answer. */
  get completed(): number {
    return this.#completed;
  }

  /** Lines with an error. */
  get failed(): number {
    return this.#failed;
  }

  get isAll(): boolean {
    return this.#completed + this.#failed >= this.#isDone.length;
  }

  has(number: number): boolean {
    return this.#isDone[number] === 1;
  }

  /** The numbers of the others, in order. */
  *missing(): Iterable<number> {
    for (const [number, isDone] of this.#isDone.entries()) if (isDone === 0) yield number;
  }

  /** All are done, and so many have an answer, though their results are not there any more. */
  addRest(completed: number): void {
    this.#isDone.fill(1);
    this.#completed = completed;
    this.#failed = this.#isDone.length - completed;
  }

  add(number: number, isAnswer: boolean): void {
    if (number >= this.#isDone.length || this.#isDone[number] === 1) return;
    this.#isDone[number] = 1;
    if (isAnswer) this.#completed += 1;
    else this.#failed += 1;
  }
}
