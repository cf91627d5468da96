/**
 * A thread that answers one request at a time. It is started when it is first
 * needed, and keeps the process alive only while an answer is pending. If it dies, the pending
 * request is rejected, and the next one starts a new thread.
 */
import { Worker } from 'node:worker_threads';
import { assert } from '../../core/assert.ts';

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

  /** The caller must wait for each answer before the next request. */
  ask(request: Request): Promise<Reply> {
    assert(this.#due === null, 'a thread is asked one thing at a time');
    const worker = this.#worker ?? this.#start();
    worker.ref();
    this.#due = Promise.withResolvers();
    worker.postMessage(request);
    return this.#due.promise;
  }

  /** Resolves when the thread has ended, after a request that ends it. */
  ended(): Promise<void> {
    this.#worker?.ref();
    return this.#ended;
  }

  #start(): Worker {
    // Node's command-line flags are meant for the main program, not for this file.
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
