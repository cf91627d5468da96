/**
 * What is done once the caller has its answer: an answer that waited for it would tell, by its time, whether there is
 * a person of that address. What fails is told to whoever runs the installation, and never to the caller.
 */
export class Afterwards {
  readonly #onProblem: (message: string, cause: unknown) => void;
  readonly #running = new Set<Promise<void>>();

  constructor(onProblem: (message: string, cause: unknown) => void) {
    this.#onProblem = onProblem;
  }

  /** `message` is the sentence of a failure. */
  run(message: string, work: () => Promise<void>): void {
    const running = this.#run(message, work);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** Resolves when nothing runs any more: for the end of the process, and for tests. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(message: string, work: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    try {
      await work();
    } catch (error) {
      this.#onProblem(message, error);
    }
  }
}
