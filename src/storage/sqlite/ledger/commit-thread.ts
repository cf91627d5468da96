import type { LedgerRow } from '../../../billing/ports.ts';
import { AskWorker } from '../../threads/ask-worker.ts';
import type { CommitReply, CommitRequest } from './commit-worker.ts';
import type { CommitTarget } from './group-commit.ts';

/** Commits on a separate thread, with each commit synced to the disk. */
export class CommitThread implements CommitTarget {
  readonly isSynchronous = false;
  readonly #worker: AskWorker<CommitRequest, CommitReply>;

  constructor(path: string) {
    this.#worker = new AskWorker(new URL('./commit-worker.ts', import.meta.url), { path });
  }

  write(rows: readonly LedgerRow[]): Promise<void> {
    return this.#ask({ type: 'write', rows });
  }

  probe(): Promise<void> {
    return this.#ask({ type: 'probe' });
  }

  async close(): Promise<void> {
    if (!this.#worker.isRunning) return;
    await this.#ask({ type: 'close' });
    await this.#worker.ended();
  }

  async #ask(request: CommitRequest): Promise<void> {
    const reply = await this.#worker.ask(request);
    if (reply.error !== null) throw Object.assign(new Error(reply.error), { errcode: reply.errcode });
  }
}
