/** A thread that writes, with each commit synced to the disk: its side is `serve-writes.ts`. */
import { AskWorker } from './ask-worker.ts';

/** One at a time; each is answered by a `WriteReply`. */
export type WriteRequest<Work> =
  | { readonly type: 'write'; readonly work: Work }
  | { readonly type: 'probe' }
  | { readonly type: 'close' };

/** An error loses SQLite's result code between threads, so message and code are sent separately. */
export type WriteReply = { readonly error: null } | { readonly error: string; readonly errcode: number | null };

export class WriteThread<Work> {
  readonly #worker: AskWorker<WriteRequest<Work>, WriteReply>;

  /** `file` runs as the thread, and gets `workerData`. */
  constructor(file: URL, workerData: object) {
    this.#worker = new AskWorker(file, workerData);
  }

  write(work: Work): Promise<void> {
    return this.#ask({ type: 'write', work });
  }

  /** Writes something meaningless, to find out whether the disk accepts writes. */
  probe(): Promise<void> {
    return this.#ask({ type: 'probe' });
  }

  async close(): Promise<void> {
    if (!this.#worker.isRunning) return;
    await this.#ask({ type: 'close' });
    await this.#worker.ended();
  }

  async #ask(request: WriteRequest<Work>): Promise<void> {
    const reply = await this.#worker.ask(request);
    if (reply.error !== null) throw Object.assign(new Error(reply.error), { errcode: reply.errcode });
  }
}
