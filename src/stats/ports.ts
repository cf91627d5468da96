/** What records and reports need from a storage. */
import type { AccountId, CallId, KeyId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { CallsPage, CallsQuery } from './call-list.ts';
import type { StatsExports } from './export.ts';
import type { MonthsPage, MonthsQuery } from './month.ts';
import type { MovementsPage, MovementsQuery } from './movement.ts';
import type { CallRecord } from './record.ts';
import type {
  FirstBytes,
  FirstBytesQuery,
  UsageGroupsPage,
  UsageGroupsQuery,
  UsageQuery,
  UsageReport,
} from './usage-report.ts';

export type { CallFilter, CallSummary, CallsPage, CallsQuery } from './call-list.ts';
export type {
  CallsExport,
  MovementBatch,
  MovementsExport,
  SealedBalance,
  StatsExports,
  UsageExport,
  UsageRow,
} from './export.ts';
export type { Month, MonthSums, MonthsCursor, MonthsPage, MonthsQuery } from './month.ts';
export type { Movement, MovementsCursor, MovementsPage, MovementsQuery } from './movement.ts';
export type { Attempt, CallRecord } from './record.ts';
export type {
  FirstBytes,
  FirstBytesQuery,
  UsageGroup,
  UsageGrouping,
  UsageGroupsPage,
  UsageGroupsQuery,
  UsageInterval,
  UsageQuery,
  UsageReport,
  UsageSeries,
  UsageSums,
} from './usage-report.ts';

export interface RecordQuery {
  /** Only records admitted after this one, oldest first; null starts from the newest `limit`. */
  readonly after: CallId | null;
  readonly limit: number;
}

export interface RecordStore {
  /** Written soon after, not immediately: the settlement is the durable fact. Never throws for a full or broken disk; failures are counted. */
  append(record: CallRecord): void;
  /** The newest record not yet on disk that `matches` accepts, or null. */
  waiting(matches: (record: CallRecord) => boolean): CallRecord | null;
  /** Oldest first. */
  tail(query: RecordQuery): Promise<readonly CallRecord[]>;
  /** Resolves when everything appended so far is on disk. */
  drain(): Promise<void>;
}

/** Records that other nodes have written, for people who watch calls. */
export interface OthersRecords {
  /** Begins to read: what is written from the first reading on is returned by the later ones. */
  read(): OthersReader;
}

export interface RecordPlaces {
  /** The slot of the node that served a call; null if it is not known: its record is not written yet, or only its settlement is left. */
  slotOf(call: CallId): Promise<number | null>;
}

/** Reads what was written since the last time, oldest first. Rejects if it cannot be read now; the next reading has it. */
export type OthersReader = () => Promise<OthersNews>;

export interface OthersNews {
  readonly records: readonly CallRecord[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** The owner of the calls to report. */
export interface CallOwner {
  readonly accountId: AccountId;
  /** Null for every project of the account. */
  readonly projectId: ProjectId | null;
}

export interface ActivityQuery extends CallOwner {
  /** Null for every key, revoked ones included. */
  readonly keyId: KeyId | null;
  /** UTC days since 1970, both included. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Sums of the calls of one UTC day, one provider and one model; the day is that of admission. */
export interface ActivityRow {
  /** Days since 1970. */
  readonly day: number;
  readonly model: string;
  readonly provider: string;
  readonly calls: number;
  /** Calls with any ending but `complete` and `empty`. */
  readonly failed: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Read from a cache: a part of the prompt. */
  readonly cachedTokens: number;
  /** A part of the completion. */
  readonly reasoningTokens: number;
  readonly cost: Money;
  readonly charge: Money;
  /** The part of the cost that was billed to own credentials of the account. */
  readonly ownCost: Money;
}

/**
 * Reports. Each query has a limited time and a limited number of rows: throws `GatewayError` 503
 * `shedding` beyond the time, `invalid_value` beyond the rows. Reports never delay calls.
 */
export interface StatsReader extends StatsExports {
  /** Newest day first, then by model and provider. A call counts as soon as its answer has ended. */
  activity(query: ActivityQuery): Promise<readonly ActivityRow[]>;
  /** A call that has ended, without details if only its settlement is left; null if it does not exist. */
  call(id: CallId): Promise<CallRecord | null>;
  /** The owner's newest call with this provider id, among the stored records of the last 31 days. */
  callByUpstreamId(upstreamId: string, owner: CallOwner): Promise<CallRecord | null>;
  /** Sums by time and group, from rollups; a call counts as soon as its answer has ended. */
  usage(query: UsageQuery): Promise<UsageReport>;
  /** The same by group alone, page by page. */
  usageGroups(query: UsageGroupsQuery): Promise<UsageGroupsPage>;
  /** Time to first byte by model, for models with timed calls in the time range. */
  firstBytes(query: FirstBytesQuery): Promise<ReadonlyMap<string, FirstBytes>>;
  /** Calls that have a record, newest first; searches for a limited time and says how far it got. */
  calls(query: CallsQuery): Promise<CallsPage>;
  /** The account's charges and entries that are not sealed, or those of the month requested, newest first; searches for a limited time and says how far it got. */
  movements(query: MovementsQuery): Promise<MovementsPage>;
  /** Statements of the account's months, newest first. */
  months(query: MonthsQuery): Promise<MonthsPage>;
  /** The account's first call that is not sealed, or null. */
  firstCall(accountId: AccountId): Promise<CallRecord | null>;
}
