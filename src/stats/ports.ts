/** What records ask of a storage, and what reports do. */
import type { AccountId, CallId, KeyId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { CallRecord } from './record.ts';

export type { Attempt, CallRecord } from './record.ts';

export interface RecordQuery {
  /** Only records admitted after this one, oldest first; null starts from the newest `limit`. */
  readonly after: CallId | null;
  readonly limit: number;
}

export interface RecordStore {
  /** Written soon after, not at once: the settle row is the durable fact. Never throws for a full or broken disk; it counts. */
  append(record: CallRecord): void;
  /** Oldest first. */
  tail(query: RecordQuery): Promise<readonly CallRecord[]>;
  /** Resolves when everything appended so far is on disk. */
  drain(): Promise<void>;
}

/** Whose calls are asked for. */
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

/** Sums of the calls admitted on one UTC day that one provider served with one model. */
export interface ActivityRow {
  /** Days since 1970. */
  readonly day: number;
  readonly model: string;
  readonly provider: string;
  readonly calls: number;
  /** Endings but `complete` and `empty`. */
  readonly failed: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Read from a cache: a part of the prompt. */
  readonly cachedTokens: number;
  /** A part of the completion. */
  readonly reasoningTokens: number;
  readonly cost: Money;
  readonly charge: Money;
}

/**
 * Reports. Whatever is asked reads for a limited time and answers a limited number of rows: throws `GatewayError` 503
 * `shedding` beyond the time, `invalid_value` beyond the rows. It never stands in the way of calls.
 */
export interface StatsReader {
  /** Newest day first, then by model and provider. A call counts as soon as its answer has ended. */
  activity(query: ActivityQuery): Promise<readonly ActivityRow[]>;
  /** A call that has ended; bare of detail where only its settlement is left. Null when there is none. */
  call(id: CallId): Promise<CallRecord | null>;
  /** The owner's newest call that its provider gave this id, among the records of the last 31 days that there are. */
  callByUpstreamId(upstreamId: string, owner: CallOwner): Promise<CallRecord | null>;
}
