/**
 * Reads for reports, on two threads: the main thread never waits for what a report takes, and a long one does not keep
 * all others waiting. Each question is read for two seconds at most, the wait for its turn included; a caller that asks
 * for more hears 503.
 */
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { FairRoom } from '../../../core/fair-room.ts';
import type { AccountId, CallId } from '../../../core/ids.ts';
import type {
  ActivityQuery,
  ActivityRow,
  CallOwner,
  CallRecord,
  CallSummary,
  CallsExport,
  CallsPage,
  CallsQuery,
  FirstBytes,
  FirstBytesQuery,
  MonthsPage,
  MonthsQuery,
  MovementBatch,
  MovementsExport,
  MovementsPage,
  MovementsQuery,
  StatsReader,
  UsageExport,
  UsageGroupsPage,
  UsageGroupsQuery,
  UsageQuery,
  UsageReport,
  UsageRow,
} from '../../../stats/ports.ts';
import { SqliteExports } from './exports.ts';
import type { ReaderPaths } from './reader-paths.ts';
import { type AskReader, ReaderThreads } from './reader-threads.ts';
import type { ReaderQuestion } from './reader-worker.ts';

export interface SqliteReaderParts {
  readonly paths: ReaderPaths;
  readonly clock: Clock;
  /** Resolves when the records made so far are on disk. */
  readonly drainRecords: () => Promise<void>;
  /** How long a question may take; 2,000 when absent. */
  readonly deadlineMs?: number;
  /** How long lists are looked for until they tell what they have; 300 when absent. */
  readonly searchMs?: number;
}

const DEADLINE_MS = 2_000;
const SEARCH_MS = 300;
/** The thread stops by itself at the deadline; a disk that hangs does not let it. */
const GRACE_MS = 500;
/** Records that cannot be written now are not waited for longer: settlements say what happened. */
const DRAIN_MS = 500;
/** Of all accounts; of one, half of what the others leave. */
const WAITING_MAX = 64;
const THREADS = 2;
const ROWS_MAX = 10_000;
const RETRY_AFTER_SECONDS = 2;

export class SqliteReader implements StatsReader {
  readonly #clock: Clock;
  readonly #drainRecords: () => Promise<void>;
  readonly #deadlineMs: number;
  readonly #searchMs: number;
  readonly #threads: ReaderThreads;
  readonly #exports: SqliteExports;
  readonly #usageRunning = new Map<string, Promise<UsageReport>>();
  readonly #room = new FairRoom(WAITING_MAX);
  #isClosed = false;

  constructor({ paths, clock, drainRecords, deadlineMs = DEADLINE_MS, searchMs = SEARCH_MS }: SqliteReaderParts) {
    this.#clock = clock;
    this.#drainRecords = drainRecords;
    this.#deadlineMs = deadlineMs;
    this.#searchMs = searchMs;
    this.#threads = new ReaderThreads(paths, THREADS);
    this.#exports = new SqliteExports({ paths, clock, drained: () => this.#drained() });
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

  /** Who asks the same while it is being read hears the same answer: many people look at one dashboard. */
  usage(query: UsageQuery): Promise<UsageReport> {
    const asked = JSON.stringify(query);
    const running = this.#usageRunning.get(asked);
    if (running !== undefined) return running;
    const report = this.#readUsage(query).finally(() => this.#usageRunning.delete(asked));
    this.#usageRunning.set(asked, report);
    return report;
  }

  async usageGroups(query: UsageGroupsQuery): Promise<UsageGroupsPage> {
    return (await this.#read({ type: 'usageGroups', query })) as UsageGroupsPage;
  }

  async firstBytes(query: FirstBytesQuery): Promise<ReadonlyMap<string, FirstBytes>> {
    return (await this.#read({ type: 'firstBytes', query })) as ReadonlyMap<string, FirstBytes>;
  }

  async calls(query: CallsQuery): Promise<CallsPage> {
    await this.#drained();
    return (await this.#read({ type: 'calls', query, searchMs: this.#searchMs })) as CallsPage;
  }

  async movements(query: MovementsQuery): Promise<MovementsPage> {
    return (await this.#read({ type: 'movements', query, searchMs: this.#searchMs })) as MovementsPage;
  }

  async months(query: MonthsQuery): Promise<MonthsPage> {
    return (await this.#read({ type: 'months', query })) as MonthsPage;
  }

  async firstCall(accountId: AccountId): Promise<CallRecord | null> {
    await this.#drained();
    return (await this.#read({ type: 'firstCall', accountId, nowMs: this.#clock.now() })) as CallRecord | null;
  }

  allMovements(query: MovementsExport): AsyncIterable<MovementBatch> {
    return this.#exports.allMovements(query);
  }

  allUsage(query: UsageExport): AsyncIterable<readonly UsageRow[]> {
    return this.#exports.allUsage(query);
  }

  allCalls(query: CallsExport): AsyncIterable<readonly CallSummary[]> {
    return this.#exports.allCalls(query);
  }

  /** Lets go of the files once what was asked is answered. To be called before the writers close theirs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#threads.close(), this.#exports.close()]);
  }

  async #readUsage(query: UsageQuery): Promise<UsageReport> {
    return (await this.#read({ type: 'usage', query })) as UsageReport;
  }

  #read(question: ReaderQuestion): Promise<unknown> {
    const owner = ownerOf(question);
    const leave = this.#isClosed ? null : this.#room.take(owner);
    if (leave === null) throw busy('Too many reports are being read at once; try again shortly.');
    const dueAt = this.#clock.monotonic() + this.#deadlineMs;
    const read = this.#threads.inTurn(owner, (ask) => this.#ask(ask, question, dueAt)).finally(leave);
    return this.#within(this.#deadlineMs + GRACE_MS, read);
  }

  async #ask(ask: AskReader, question: ReaderQuestion, dueAt: number): Promise<unknown> {
    const budgetMs = dueAt - this.#clock.monotonic();
    if (budgetMs <= 0) throw tooLate();
    const reply = await ask({ type: 'read', question, budgetMs });
    if (reply.type === 'read') return reply.found;
    if (reply.type === 'late') throw tooLate();
    throw new Error(`a report could not be read: ${reply.reason}`);
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

/** The account that asks; null for a call that is looked up by its id, which takes a moment and may be anybody's. */
function ownerOf(question: ReaderQuestion): AccountId | null {
  if (question.type === 'call') return null;
  if (question.type === 'upstream') return question.owner.accountId;
  if (question.type === 'usageGroups') return question.query.query.accountId;
  return question.type === 'firstCall' ? question.accountId : question.query.accountId;
}

function tooLate(): GatewayError {
  return busy('This report takes too long to read. Ask for less of it, or try again later.');
}

function busy(message: string): GatewayError {
  return new GatewayError('shedding', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
