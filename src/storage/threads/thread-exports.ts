/**
 * Exports, on a separate thread: each reads from one snapshot of the ledger, batch by batch and no faster than its reader
 * takes them. An open snapshot prevents the database from removing what was replaced since (SQLite: its write-ahead log; PostgreSQL: dead
 * rows), so none is held longer than ten minutes.
 */
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { FairSlots } from '../../core/fair-slots.ts';
import type {
  CallSummary,
  CallsExport,
  MovementBatch,
  MovementsExport,
  StatsExports,
  UsageExport,
  UsageRow,
} from '../../stats/ports.ts';
import type { ExportBatch, ExportQuestion } from '../stats/questions.ts';
import { AskWorker } from './ask-worker.ts';
import type { ExportReply, ExportRequest, ThreadCode } from './messages.ts';
import { unavailable } from './unavailable.ts';

export interface ExportParts {
  readonly code: ThreadCode;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How many exports may run at once; by default 16. */
  readonly atOnceMax?: number;
  /** Called with why the database of reports cannot be used, where that is known. Must not throw. */
  readonly onReach?: (trouble: string) => void;
}

export const EXPORT_MS_MAX = 600_000;
const AT_ONCE_MAX = 16;
const OF_ONE_MAX = 4;
const RETRY_AFTER_SECONDS = 10;

export class ThreadExports implements StatsExports {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #worker: AskWorker<ExportRequest, ExportReply>;
  readonly #slots: FairSlots;
  readonly #onReach: (trouble: string) => void;
  /** Requests to the thread, one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  #isClosed = false;

  constructor({ code, clock, atOnceMax = AT_ONCE_MAX, onReach = () => undefined }: ExportParts) {
    this.#clock = clock;
    this.#onReach = onReach;
    this.#worker = new AskWorker(code.file, code.data);
    this.#slots = new FairSlots(atOnceMax, OF_ONE_MAX);
  }

  allMovements(query: MovementsExport): AsyncIterable<MovementBatch> {
    return this.#batches({ type: 'movements', query }) as AsyncIterable<MovementBatch>;
  }

  allUsage(query: UsageExport): AsyncIterable<readonly UsageRow[]> {
    return this.#batches({ type: 'usage', query }) as AsyncIterable<readonly UsageRow[]>;
  }

  allCalls(query: CallsExport): AsyncIterable<readonly CallSummary[]> {
    return this.#batches({ type: 'calls', query }) as AsyncIterable<readonly CallSummary[]>;
  }

  /** Aborts running exports. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.catch(() => undefined);
    if (!this.#worker.isRunning) return;
    await this.#worker.ask({ type: 'close' });
    await this.#worker.ended();
  }

  async *#batches(question: ExportQuestion): AsyncGenerator<ExportBatch> {
    const leave = this.#slots.take(question.query.accountId);
    if (leave === null)
      throw new GatewayError('shedding', {
        message: 'Too many exports are running; try again when one has finished.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.#lastId += 1;
    const id = this.#lastId;
    const endAt = this.#clock.monotonic() + EXPORT_MS_MAX;
    try {
      await this.#ask({ type: 'open', id, question });
      for (;;) {
        const batch = await this.#ask({ type: 'next', id });
        if (batch === null) return;
        yield batch;
        if (this.#clock.monotonic() > endAt)
          throw new GatewayError('shedding', { message: 'This export takes too long. Use a shorter time range.' });
      }
    } finally {
      // If the thread died, its snapshots are gone too.
      if (!this.#isClosed) await this.#ask({ type: 'end', id }).catch(() => undefined);
      leave();
    }
  }

  #ask(request: ExportRequest): Promise<ExportBatch | null> {
    const asked = this.#queue.then(async () => {
      if (this.#isClosed) throw new GatewayError('shedding', { message: 'The server is shutting down.' });
      const reply = await this.#worker.ask(request);
      if (reply.type === 'batch') return reply.batch;
      if (reply.type === 'unavailable') {
        if (reply.reason !== null) this.#onReach(reply.reason);
        throw unavailable();
      }
      throw new Error(`an export could not be read: ${reply.reason}`);
    });
    this.#queue = asked.catch(() => undefined);
    return asked;
  }
}
