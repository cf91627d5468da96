/**
 * Reads reports from an engine, question by question. Each may take two seconds, including the wait for its turn; a
 * caller that asks for more gets 503. Accounts share the queue.
 */
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { FairSlots } from '../../core/fair-slots.ts';
import type { AccountId, CallId } from '../../core/ids.ts';
import type {
  ActivityQuery,
  CallOwner,
  CallSummary,
  CallsExport,
  CallsQuery,
  FirstBytesQuery,
  MonthsQuery,
  MovementBatch,
  MovementsExport,
  MovementsQuery,
  StatsReader,
  UsageExport,
  UsageGroupsQuery,
  UsageQuery,
  UsageReport,
  UsageRow,
} from '../../stats/ports.ts';
import { ownerOf, type StatsAnswerer, type StatsAnswers, type StatsQuestion } from './questions.ts';

export interface ReaderTimes {
  /** Time limit of a question; default 2,000. */
  readonly deadlineMs?: number;
  /** Time after which a list returns what it has found; default 300. */
  readonly searchMs?: number;
}

export interface QuestionReaderParts extends ReaderTimes {
  readonly answerer: StatsAnswerer;
  readonly clock: Clock;
  /** Resolves when all records so far can be read. */
  readonly drainRecords: () => Promise<void>;
  /** Resolves when all settlements so far can be read; without it, they can be from the moment that they are durable. */
  readonly drainSettlements?: () => Promise<void>;
}

const DEADLINE_MS = 2_000;
const SEARCH_MS = 300;
/** An engine stops at the deadline by itself, unless the disk hangs. */
const GRACE_MS = 500;
/** The longest wait for what cannot be written now: a record's settlement exists anyway, and a settlement is in the journal. */
const DRAIN_MS = 500;
/** For all accounts together; one gets half of what the others leave. */
const WAITING_MAX = 64;
const ROWS_MAX = 10_000;
const RETRY_AFTER_SECONDS = 2;

export class QuestionReader implements StatsReader {
  readonly #answerer: StatsAnswerer;
  readonly #clock: Clock;
  readonly #drainRecords: () => Promise<void>;
  readonly #drainSettlements: (() => Promise<void>) | null;
  readonly #deadlineMs: number;
  readonly #searchMs: number;
  readonly #usageRunning = new Map<string, Promise<UsageReport>>();
  readonly #slots = new FairSlots(WAITING_MAX);
  #isClosed = false;

  constructor(parts: QuestionReaderParts) {
    this.#answerer = parts.answerer;
    this.#clock = parts.clock;
    this.#drainRecords = parts.drainRecords;
    this.#drainSettlements = parts.drainSettlements ?? null;
    this.#deadlineMs = parts.deadlineMs ?? DEADLINE_MS;
    this.#searchMs = parts.searchMs ?? SEARCH_MS;
  }

  async activity(query: ActivityQuery): Promise<StatsAnswers['activity']> {
    const rows = await this.#read({ type: 'activity', query, rowsMax: ROWS_MAX + 1 });
    if (rows.length <= ROWS_MAX) return rows;
    throw new GatewayError('invalid_value', {
      message: `This report has more than ${ROWS_MAX} rows. Ask for one day (date), one project or one key.`,
      param: 'date',
    });
  }

  async call(id: CallId): Promise<StatsAnswers['call']> {
    await this.#drained();
    return this.#read({ type: 'call', id });
  }

  async callByUpstreamId(upstreamId: string, owner: CallOwner): Promise<StatsAnswers['upstream']> {
    await this.#drained();
    return this.#read({ type: 'upstream', upstreamId, owner });
  }

  /** Identical questions share one read: many people open the same dashboard. */
  usage(query: UsageQuery): Promise<UsageReport> {
    const asked = JSON.stringify(query);
    const running = this.#usageRunning.get(asked);
    if (running !== undefined) return running;
    const report = this.#read({ type: 'usage', query }).finally(() => this.#usageRunning.delete(asked));
    this.#usageRunning.set(asked, report);
    return report;
  }

  usageGroups(query: UsageGroupsQuery): Promise<StatsAnswers['usageGroups']> {
    return this.#read({ type: 'usageGroups', query });
  }

  firstBytes(query: FirstBytesQuery): Promise<StatsAnswers['firstBytes']> {
    return this.#read({ type: 'firstBytes', query });
  }

  async calls(query: CallsQuery): Promise<StatsAnswers['calls']> {
    await this.#drained();
    return this.#read({ type: 'calls', query, searchMs: this.#searchMs });
  }

  movements(query: MovementsQuery): Promise<StatsAnswers['movements']> {
    return this.#read({ type: 'movements', query, searchMs: this.#searchMs });
  }

  months(query: MonthsQuery): Promise<StatsAnswers['months']> {
    return this.#read({ type: 'months', query });
  }

  async firstCall(accountId: AccountId): Promise<StatsAnswers['firstCall']> {
    await this.#drained();
    return this.#read({ type: 'firstCall', accountId, nowMs: this.#clock.now() });
  }

  async *allMovements(query: MovementsExport): AsyncGenerator<MovementBatch> {
    await this.#settled();
    yield* this.#answerer.allMovements(query);
  }

  async *allUsage(query: UsageExport): AsyncGenerator<readonly UsageRow[]> {
    await this.#settled();
    yield* this.#answerer.allUsage(query);
  }

  async *allCalls(query: CallsExport): AsyncGenerator<readonly CallSummary[]> {
    await this.#settled();
    await this.#drained();
    yield* this.#answerer.allCalls(query);
  }

  /** Resolves when all pending questions are answered. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#answerer.close();
  }

  async #read<Question extends StatsQuestion>(question: Question): Promise<StatsAnswers[Question['type']]> {
    const owner = ownerOf(question);
    const leave = this.#isClosed ? null : this.#slots.take(owner);
    if (leave === null) throw busy('Too many reports are being read at once; try again shortly.');
    const dueAt = this.#clock.monotonic() + this.#deadlineMs;
    const turn = { owner, leftMs: () => dueAt - this.#clock.monotonic() };
    const read = this.#settled()
      .then(() => this.#answerer.answer(question, turn))
      .finally(leave);
    const answer = await this.#within(this.#deadlineMs + GRACE_MS, read);
    if (answer === null) throw tooLate();
    return answer.found;
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

  #drained(): Promise<void> {
    return this.#briefly(this.#drainRecords());
  }

  async #settled(): Promise<void> {
    if (this.#drainSettlements !== null) await this.#briefly(this.#drainSettlements());
  }

  async #briefly(work: Promise<void>): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const timer = this.#clock.after(DRAIN_MS, timeout.resolve);
    await Promise.race([work, timeout.promise]).finally(() => timer.cancel());
  }
}

function tooLate(): GatewayError {
  return busy('This report takes too long to read. Ask for less of it, or try again later.');
}

function busy(message: string): GatewayError {
  return new GatewayError('shedding', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
