/**
 * Reads for reports, on a thread: the main thread never waits for what a report takes. One question is read at a
 * time, each for two seconds at most, the wait for its turn included; a caller that asks for more hears 503.
 */
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { CallId } from '../../core/ids.ts';
import type { ActivityQuery, ActivityRow, CallOwner, CallRecord, StatsReader } from '../../stats/ports.ts';
import { AskWorker } from './ask-worker.ts';
import type { ReaderPaths, ReaderQuestion, ReaderReply, ReaderRequest } from './reader-worker.ts';

export interface SqliteReaderParts {
  readonly paths: ReaderPaths;
  readonly clock: Clock;
  /** Resolves when the records made so far are on disk. */
  readonly drainRecords: () => Promise<void>;
  /** How long a question may take; 2,000 when absent. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 2_000;
/** The thread stops by itself at the deadline; a disk that hangs does not let it. */
const GRACE_MS = 500;
/** Records that cannot be written now are not waited for longer: settlements say what happened. */
const DRAIN_MS = 500;
const WAITING_MAX = 64;
const ROWS_MAX = 10_000;
const RETRY_AFTER_SECONDS = 2;

export class SqliteReader implements StatsReader {
  readonly #clock: Clock;
  readonly #drainRecords: () => Promise<void>;
  readonly #deadlineMs: number;
  readonly #worker: AskWorker<ReaderRequest, ReaderReply>;
  /** The thread's work, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isClosed = false;

  constructor({ paths, clock, drainRecords, deadlineMs = DEADLINE_MS }: SqliteReaderParts) {
    this.#clock = clock;
    this.#drainRecords = drainRecords;
    this.#deadlineMs = deadlineMs;
    this.#worker = new AskWorker(new URL('./reader-worker.ts', import.meta.url), paths);
  }

  async activity(query: ActivityQuery): Promise<readonly ActivityRow[]> {
    const rows = (await this.#read({ type: 'activity', query, rowsMax: ROWS_MAX + 1 })) as readonly ActivityRow[];
    if (rows.length <= ROWS_MAX) return rows;
    throw new GatewayError('invalid_value', {
      message: `This report has more than ${ROWS_MAX} rows. Ask for one day (date), one project or one key.`,
      param: 'date',
    });
  }

  async call(id: CallId): Promise<CallRecord | null> {
    await this.#drained();
    return (await this.#read({ type: 'call', id })) as CallRecord | null;
  }

  async callByUpstreamId(upstreamId: string, owner: CallOwner): Promise<CallRecord | null> {
    await this.#drained();
    return (await this.#read({ type: 'upstream', upstreamId, owner })) as CallRecord | null;
  }

  /** Lets go of the files once what was asked is answered. To be called before the writers close theirs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    if (!this.#worker.isRunning) return;
    await this.#worker.ask({ type: 'close' });
    await this.#worker.ended();
  }

  #read(question: ReaderQuestion): Promise<unknown> {
    if (this.#isClosed || this.#waiting >= WAITING_MAX)
      throw busy('Too many reports are being read at once; try again shortly.');
    this.#waiting += 1;
    const dueAt = this.#clock.monotonic() + this.#deadlineMs;
    const read = this.#turn.then(() => this.#ask(question, dueAt));
    this.#turn = read.then(
      () => this.#leave(),
      () => this.#leave(),
    );
    return this.#within(this.#deadlineMs + GRACE_MS, read);
  }

  async #ask(question: ReaderQuestion, dueAt: number): Promise<unknown> {
    const budgetMs = dueAt - this.#clock.monotonic();
    if (budgetMs <= 0) throw tooLate();
    const reply = await this.#worker.ask({ type: 'read', question, budgetMs });
    if (reply.type === 'read') return reply.found;
    if (reply.type === 'late') throw tooLate();
    throw new Error(`a report could not be read: ${reply.reason}`);
  }

  #leave(): void {
    this.#waiting -= 1;
  }

  async #within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
    const late = Promise.withResolvers<never>();
    const timer = this.#clock.after(ms, () => late.reject(tooLate()));
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      timer.cancel();
    }
  }

  async #drained(): Promise<void> {
    const patience = Promise.withResolvers<void>();
    const timer = this.#clock.after(DRAIN_MS, patience.resolve);
    await Promise.race([this.#drainRecords(), patience.promise]);
    timer.cancel();
  }
}

function tooLate(): GatewayError {
  return busy('This report takes too long to read. Ask for less of it, or try again later.');
}

function busy(message: string): GatewayError {
  return new GatewayError('shedding', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
