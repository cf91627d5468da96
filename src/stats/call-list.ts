/** What is asked about calls, one by one, and the row that a list shows of each. */
import { isLabelled, type LabelFilter } from '../core/call-labels.ts';
import type { AccountId, CallId, KeyId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Ending } from '../core/settlement.ts';
import type { CallRecord } from './record.ts';

/** Null looks at nothing. */
export interface CallFilter {
  readonly projectId: ProjectId | null;
  readonly keyId: KeyId | null;
  readonly model: string | null;
  readonly provider: string | null;
  /** What the caller saw, both included. */
  readonly status: { readonly from: number; readonly to: number } | null;
  /** `ok` ended `complete` or `empty`, as sums count it. */
  readonly outcome: 'ok' | 'failed' | null;
  readonly ending: Ending | null;
  readonly streamed: boolean | null;
  readonly minCharge: Money | null;
  readonly minDurationMs: number | null;
  readonly labels: LabelFilter | null;
}

export interface CallsQuery extends CallFilter {
  readonly accountId: AccountId;
  /** When the call came in, ms; the end is not included. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Only calls that came in before this one. */
  readonly before: CallId | null;
  readonly limit: number;
}

export interface CallsPage {
  /** Newest first. */
  readonly calls: readonly CallSummary[];
  /** What to go on before; null at the end. */
  readonly next: CallId | null;
  /** How far back was looked, ms, where the time for one question was over; else null. */
  readonly searchedToMs: number | null;
}

/** Of a record what a list shows. */
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
  | 'warnings'
  | 'labels'
>;

/** Whether a call is one that is asked for; its account and its time are not looked at. */
export function isMeant(filter: CallFilter, record: CallRecord): boolean {
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
