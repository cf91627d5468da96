/** What is asked about consumption, and what is told: sums of calls by time and group, and how soon answers began. */
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
   * With hours only: where the days of another time zone begin, from `first` on, and `end`. Intervals are those days then.
   */
  readonly days?: readonly number[];
  readonly groupBy: UsageGrouping;
  /** Null for all of them, as the three behind it. */
  readonly projectId: ProjectId | null;
  readonly keyId: KeyId | null;
  readonly model: string | null;
  readonly provider: string | null;
  /** How many groups are told apart, the dearest; the rest are one more. */
  readonly groups: number;
}

export interface UsageSums {
  readonly calls: number;
  /** Endings but `complete` and `empty`. */
  readonly failed: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Read from a cache: a part of the prompt. */
  readonly cachedTokens: number;
  /** A part of the completion. */
  readonly reasoningTokens: number;
  readonly charge: Money;
}

/** One number for each interval, in arrays that cross a thread at the cost of their bytes. */
export interface UsageSeries {
  /** Nano-USD. */
  readonly charge: BigInt64Array;
  readonly calls: Float64Array;
  readonly failed: Float64Array;
  readonly promptTokens: Float64Array;
  readonly completionTokens: Float64Array;
}

export interface UsageGroup {
  /** `all` without a grouping; `rest` is what is left beside the dearest. */
  readonly kind: 'all' | 'one' | 'rest';
  /** The name of the model or provider, the id of the key or project in digits; empty for `all` and `rest`. */
  readonly id: string;
  readonly totals: UsageSums;
  readonly series: UsageSeries;
}

/** From admission to the provider's first byte, of the calls that have a record with timings. */
export interface FirstBytes {
  /** How many calls were looked at. */
  readonly calls: number;
  /** Off by 1.3 % at most, and by 5 % where days of an earlier version are meant; null without calls. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface UsageReport {
  readonly totals: UsageSums;
  /** Of the time just before, of the same length. */
  readonly previous: UsageSums;
  readonly firstBytes: FirstBytes;
  /** The dearest first, the rest last. */
  readonly groups: readonly UsageGroup[];
}

export interface UsageGroupsQuery {
  /** Its `groups` are not looked at. */
  readonly query: UsageQuery;
  readonly sort: { readonly by: 'charge' | 'calls' | 'tokens' | 'failed'; readonly descending: boolean };
  readonly offset: number;
  readonly limit: number;
}

export interface UsageGroupsPage {
  /** The name of the model or provider, the id of the key or project in digits. */
  readonly groups: readonly { readonly id: string; readonly sums: UsageSums }[];
  /** Of all pages. */
  readonly count: number;
}

export interface FirstBytesQuery {
  readonly accountId: AccountId;
  /** Hours since 1970 UTC, of admission. */
  readonly firstHour: number;
  /** Not included. */
  readonly endHour: number;
}
