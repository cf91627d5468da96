/**
 * A thread that is asked one thing at a time and answers each. It is started when it is first
 * needed, and does not keep the process alive except while an answer is due. When it dies, what
 * was asked is rejected, and the next question starts another.
 */
import { Worker } from 'node:worker_threads';
import { assert } from '../../../core/assert.ts';

export class AskWorker<Request, Reply> {
  readonly #file: URL;
  readonly #workerData: unknown;
  #worker: Worker | null = null;
  #due: PromiseWithResolvers<Reply> | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(file: URL, workerData: unknown) {
    this.#file = file;
    this.#workerData = workerData;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** The caller waits for each answer before it asks again. */
  ask(request: Request): Promise<Reply> {
    assert(this.#due === null, 'a thread is asked one thing at a time');
    const worker = this.#worker ?? this.#start();
    worker.ref();
    this.#due = Promise.withResolvers();
    worker.postMessage(request);
    return this.#due.promise;
  }

  /** Resolves when the thread, having been told to, has ended. */
  ended(): Promise<void> {
    this.#worker?.ref();
    return this.#ended;
  }

  #start(): Worker {
    // Flags of the command line are about the program's own file, not about this one.
    const worker = new Worker(this.#file, { workerData: this.#workerData, execArgv: [] });
    this.#worker = worker;
    this.#ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('message', (reply: Reply) => {
      worker.unref();
      this.#take()?.resolve(reply);
    });
    worker.once('error', (error) => this.#lost(worker, error));
    worker.once('exit', () => this.#lost(worker, new Error('a thread of the storage ended')));
    return worker;
  }

  #lost(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#take()?.reject(error);
  }

  #take(): PromiseWithResolvers<Reply> | null {
    const due = this.#due;
    this.#due = null;
    return due;
  }
}
