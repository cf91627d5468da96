/** Queries about usage, and their results: sums of calls by time and group, and times to first byte. */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

export type UsageInterval = 'minute' | 'hour' | 'day';
export type UsageGrouping = 'none' | 'model' | 'key' | 'project' | 'provider';

export interface UsageQuery {
  readonly accountId: AccountId;
  readonly interval: UsageInterval;
  /** Minutes, hours or days since 1970 UTC, of admission. */
  readonly first: number;
  /** Not included. */
  readonly end: number;
  /**
   * With `hour` only: the hours at which the days of another time zone begin, from `first` on, and `end`. The intervals are then those days.
   */
  readonly days?: readonly number[];
  readonly groupBy: UsageGrouping;
  /** Null for all, like the next three fields. */
  readonly projectId: ProjectId | null;
  readonly keyId: KeyId | null;
  readonly model: string | null;
  readonly provider: string | null;
  /** The number of groups, the most expensive ones; the rest are combined into one more. */
  readonly groups: number;
  /** Whether the sums include what the operator's credentials cost. */
  readonly costs?: boolean;
}

export interface UsageSums {
  readonly calls: number;
  /** Calls with any ending but `complete` and `empty`. */
  readonly failed: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Read from a cache: a part of the prompt. */
  readonly cachedTokens: number;
  /** A part of the completion. */
  readonly reasoningTokens: number;
  readonly charge: Money;
  /** Calls that were answered from the response cache. */
  readonly cacheHits: number;
  /** What those would have been charged. */
  readonly saved: Money;
  /** What the calls with the operator's credentials cost at list prices, whoever paid; 0 unless asked for. */
  readonly borneCost: Money;
}

/** One number per interval, in typed arrays, which can be transferred between threads cheaply. */
export interface UsageSeries {
  /** Nano-USD. */
  readonly charge: BigInt64Array;
  readonly calls: Float64Array;
  readonly failed: Float64Array;
  readonly promptTokens: Float64Array;
  readonly completionTokens: Float64Array;
}

export interface UsageGroup {
  /** `all` without a grouping; `rest` is everything but the most expensive groups. */
  readonly kind: 'all' | 'one' | 'rest';
  /** The name of the model or provider, the id of the key or project in digits; empty for `all` and `rest`. */
  readonly id: string;
  readonly totals: UsageSums;
  readonly series: UsageSeries;
}

/** From admission to the provider's first byte, of the calls that have a record with timings. */
export interface FirstBytes {
  /** The number of calls measured. */
  readonly calls: number;
  /** Off by at most 1.3 %, or 5 % if the range includes days written by an earlier version; null without calls. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface UsageReport {
  readonly totals: UsageSums;
  /** Of the period of the same length just before. */
  readonly previous: UsageSums;
  readonly firstBytes: FirstBytes;
  /** The most expensive first, the rest last. */
  readonly groups: readonly UsageGroup[];
}

export interface UsageGroupsQuery {
  /** Its `groups` is ignored. */
  readonly query: UsageQuery;
  readonly sort: { readonly by: 'charge' | 'calls' | 'tokens' | 'failed'; readonly descending: boolean };
  readonly offset: number;
  readonly limit: number;
}

export interface UsageGroupsPage {
  /** The name of the model or provider, the id of the key or project in digits. */
  readonly groups: readonly { readonly id: string; readonly sums: UsageSums }[];
  /** The number of groups on all pages. */
  readonly count: number;
}

export interface FirstBytesQuery {
  readonly accountId: AccountId;
  /** Hours since 1970 UTC, of admission. */
  readonly firstHour: number;
  /** Not included. */
  readonly endHour: number;
}
