/**
 * Work that runs after the caller has its answer: if the answer waited for it, its timing would reveal whether a person with that address
 * exists. Failures are reported to the operator, never to the caller.
 */
import type { Clock } from '../core/clock.ts';

export class BackgroundWork {
  readonly #onProblem: (message: string, cause: unknown) => void;
  readonly #running = new Set<Promise<void>>();

  constructor(onProblem: (message: string, cause: unknown) => void) {
    this.#onProblem = onProblem;
  }

  /** `message` is reported if `work` fails. */
  run(message: string, work: () => Promise<void>): void {
    const running = this.#run(message, work);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** Resolves when nothing runs any more, or when the patience is over. For shutdown and for tests. */
  async settled(patience: { readonly clock: Pick<Clock, 'after'>; readonly patienceMs: number } | null = null) {
    if (patience === null) return this.#allDone();
    const over = Promise.withResolvers<void>();
    const timer = patience.clock.after(patience.patienceMs, over.resolve);
    await Promise.race([this.#allDone(), over.promise]);
    timer.cancel();
  }

  async #allDone(): Promise<void> {
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
