import { AskWorker } from '../threads/ask-worker.ts';
import type { JournalPart } from './journal-part.ts';
import type { JournalReply, JournalRequest } from './journal-worker.ts';
import type { JournalSink } from './journal-writer.ts';

/** Writes on a separate thread, with each commit synced to the disk. */
export class JournalThread implements JournalSink {
  readonly #worker: AskWorker<JournalRequest, JournalReply>;

  constructor(folder: string) {
    this.#worker = new AskWorker(new URL('./journal-worker.ts', import.meta.url), { folder });
  }

  write(part: JournalPart): Promise<void> {
    return this.#ask({ type: 'write', part });
  }

  probe(): Promise<void> {
    return this.#ask({ type: 'probe' });
  }

  async close(): Promise<void> {
    if (!this.#worker.isRunning) return;
    await this.#ask({ type: 'close' });
    await this.#worker.ended();
  }

  async #ask(request: JournalRequest): Promise<void> {
    const reply = await this.#worker.ask(request);
    if (reply.error !== null) throw Object.assign(new Error(reply.error), { errcode: reply.errcode });
  }
}
