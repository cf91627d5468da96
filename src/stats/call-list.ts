/** Queries for lists of calls, and the rows they return. */
import { isLabelled, type LabelFilter } from '../core/call-labels.ts';
import type { AccountId, CallId, KeyId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Ending } from '../core/settlement.ts';
import type { CallRecord } from './record.ts';

/** Null matches anything. */
export interface CallFilter {
  readonly projectId: ProjectId | null;
  readonly keyId: KeyId | null;
  readonly model: string | null;
  readonly provider: string | null;
  /** The HTTP status that the caller got; both bounds included. */
  readonly status: { readonly from: number; readonly to: number } | null;
  /** `ok`: ended `complete` or `empty`, as in the sums. */
  readonly outcome: 'ok' | 'failed' | null;
  readonly ending: Ending | null;
  readonly streamed: boolean | null;
  readonly minCharge: Money | null;
  readonly minDurationMs: number | null;
  readonly labels: LabelFilter | null;
}

export interface CallsQuery extends CallFilter {
  readonly accountId: AccountId;
  /** When the call arrived, ms; the end is not included. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Only calls that arrived before this one. */
  readonly before: CallId | null;
  readonly limit: number;
}

export interface CallsPage {
  /** Newest first. */
  readonly calls: readonly CallSummary[];
  /** `before` for the next page; null at the end. */
  readonly next: CallId | null;
  /** How far back the search got, ms, if the time for one query ran out; otherwise null. */
  readonly searchedToMs: number | null;
}

/** The fields of a record that a list shows. */
export type CallSummary = Pick<
  CallRecord,
  | 'callId'
  | 'admittedAt'
  | 'accountId'
  | 'projectId'
  | 'keyId'
  | 'model'
  | 'provider'
  | 'streamed'
  | 'status'
  | 'ending'
  | 'errorCode'
  | 'charge'
  | 'firstByteMs'
  | 'durationMs'
  | 'usage'
  | 'usageSource'
  | 'warnings'
  | 'labels'
>;

/** Whether a call matches the filter; its account and its time are not checked. */
export function matchesFilter(filter: CallFilter, record: CallRecord): boolean {
  const { projectId, keyId, model, provider, status, outcome, ending, streamed, minCharge, minDurationMs } = filter;
  return (
    (projectId === null || record.projectId === projectId) &&
    (keyId === null || record.keyId === keyId) &&
    (model === null || record.model === model) &&
    (provider === null || record.provider === provider) &&
    (status === null || (record.status >= status.from && record.status <= status.to)) &&
    (outcome === null || (outcome === 'ok') === endedWell(record.ending)) &&
    (ending === null || record.ending === ending) &&
    (streamed === null || record.streamed === streamed) &&
    (minCharge === null || record.charge >= minCharge) &&
    (minDurationMs === null || record.durationMs >= minDurationMs) &&
    (filter.labels === null || isLabelled(filter.labels, record.labels))
  );
}

function endedWell(ending: Ending): boolean {
  return ending === 'complete' || ending === 'empty';
}
