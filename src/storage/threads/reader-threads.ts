/**
 * Threads that read, each one question at a time. Accounts with waiting questions take turns, and questions of one account
 * are answered in order: an account that asks much delays only itself.
 */
import { AskWorker } from './ask-worker.ts';
import type { ReaderReply, ReaderRequest, ThreadCode } from './messages.ts';

export type AskReader = (request: ReaderRequest) => Promise<ReaderReply>;

type Thread = AskWorker<ReaderRequest, ReaderReply>;

export class ReaderThreads {
  readonly #all: readonly Thread[];
  /** The most recently used thread is taken first, so that another one is started only when needed. */
  readonly #idle: Thread[];
  /** By owner; the one served last comes last. */
  readonly #waiting = new Map<unknown, ((thread: Thread) => void)[]>();
  #closed: Promise<void> | null = null;

  constructor({ file, data }: ThreadCode, count: number) {
    this.#all = Array.from({ length: count }, () => new AskWorker<ReaderRequest, ReaderReply>(file, data));
    this.#idle = [...this.#all];
  }

  /** Runs `work` with exclusive use of a thread, when it is its owner's turn. */
  async inTurn<Result>(owner: unknown, work: (ask: AskReader) => Promise<Result>): Promise<Result> {
    const thread = this.#idle.pop() ?? (await this.#next(owner));
    try {
      return await work((request) => thread.ask(request));
    } finally {
      const next = this.#takeNext();
      if (next === null) this.#idle.push(thread);
      else next(thread);
    }
  }

  /** Ends the threads after pending questions are answered. Do not ask anything after this. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const taken: Thread[] = [];
    while (taken.length < this.#all.length) taken.push(this.#idle.pop() ?? (await this.#next(this)));
    await Promise.all(
      taken.map(async (thread) => {
        if (!thread.isRunning) return;
        await thread.ask({ type: 'close' });
        await thread.ended();
      }),
    );
  }

  #next(owner: unknown): Promise<Thread> {
    return new Promise((resolve) => {
      const own = this.#waiting.get(owner);
      if (own === undefined) this.#waiting.set(owner, [resolve]);
      else own.push(resolve);
    });
  }

  #takeNext(): ((thread: Thread) => void) | null {
    for (const [owner, own] of this.#waiting) {
      const [next, ...later] = own;
      this.#waiting.delete(owner);
      if (later.length > 0) this.#waiting.set(owner, later);
      return next ?? null;
    }
    return null;
  }
}
