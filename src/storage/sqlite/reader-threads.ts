/** Threads that read: questions are given out in the order in which they were asked, one at a time to each thread. */
import { AskWorker } from './ask-worker.ts';
import type { ReaderReply, ReaderRequest } from './reader-worker.ts';
import type { ReaderPaths } from './reader-worker-paths.ts';

export type AskReader = (request: ReaderRequest) => Promise<ReaderReply>;

type Thread = AskWorker<ReaderRequest, ReaderReply>;

export class ReaderThreads {
  readonly #all: readonly Thread[];
  /** The one that was busy last comes first: another is started only when it is needed. */
  readonly #idle: Thread[];
  readonly #waiting: ((thread: Thread) => void)[] = [];
  #closed: Promise<void> | null = null;

  constructor(paths: ReaderPaths, count: number) {
    const file = new URL('./reader-worker.ts', import.meta.url);
    this.#all = Array.from({ length: count }, () => new AskWorker<ReaderRequest, ReaderReply>(file, paths));
    this.#idle = [...this.#all];
  }

  /** Runs with a thread to itself, once it is its turn. */
  async inTurn<Result>(work: (ask: AskReader) => Promise<Result>): Promise<Result> {
    const thread = this.#idle.pop() ?? (await this.#next());
    try {
      return await work((request) => thread.ask(request));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(thread);
      else next(thread);
    }
  }

  /** Ends the threads once what was asked is answered. Nothing more may be asked. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const taken: Thread[] = [];
    while (taken.length < this.#all.length) taken.push(this.#idle.pop() ?? (await this.#next()));
    await Promise.all(
      taken.map(async (thread) => {
        if (!thread.isRunning) return;
        await thread.ask({ type: 'close' });
        await thread.ended();
      }),
    );
  }

  #next(): Promise<Thread> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
