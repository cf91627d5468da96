/** What a list of calls asks of records, as a condition on their columns and, for what is packed, as a test. */
import { isLabelled } from '../../../core/call-labels.ts';
import type { CallRecord, CallSummary, CallsQuery } from '../../../stats/ports.ts';
import { endingCodes } from '../codes.ts';
import type { SqlValue } from '../reports/steps.ts';

export interface RecordCondition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** `names` has the numbers of the model and the provider that the query names, if it does. */
export function recordCondition(
  query: CallsQuery,
  names: { readonly model: SqlValue; readonly provider: SqlValue },
): RecordCondition {
  const conditions: [string, SqlValue][] = [['account_id = ?', query.accountId]];
  if (query.model !== null) conditions.push(['model = ?', names.model]);
  if (query.provider !== null) conditions.push(['provider = ?', names.provider]);
  if (query.projectId !== null) conditions.push(['project_id = ?', query.projectId]);
  if (query.keyId !== null) conditions.push(['key_id = ?', query.keyId]);
  if (query.status !== null) conditions.push(['status >= ?', query.status.from], ['status <= ?', query.status.to]);
  if (query.ending !== null) conditions.push(['ending = ?', endingCodes[query.ending]]);
  if (query.minCharge !== null) conditions.push(['charge_nano >= ?', query.minCharge]);
  if (query.minDurationMs !== null) conditions.push(['duration_us >= ?', Math.ceil(query.minDurationMs * 1000)]);
  let sql = conditions.map(([condition]) => condition).join(' AND ');
  if (query.outcome !== null)
    sql += ` AND ending ${query.outcome === 'ok' ? '' : 'NOT'} IN (${endingCodes.complete}, ${endingCodes.empty})`;
  return { sql, values: conditions.map(([, value]) => value) };
}

/** Whether a record that meets the condition matches the rest of the query. */
export function matchesPacked({ streamed, labels }: CallsQuery, record: CallRecord): boolean {
  if (streamed !== null && record.streamed !== streamed) return false;
  return labels === null || isLabelled(labels, record.labels);
}

/** Only what a list shows is sent to the main thread. */
export function summaryOf(record: CallRecord): CallSummary {
  return {
    callId: record.callId,
    admittedAt: record.admittedAt,
    accountId: record.accountId,
    projectId: record.projectId,
    keyId: record.keyId,
    model: record.model,
    provider: record.provider,
    streamed: record.streamed,
    status: record.status,
    ending: record.ending,
    errorCode: record.errorCode,
    charge: record.charge,
    firstByteMs: record.firstByteMs,
    durationMs: record.durationMs,
    usage: record.usage,
    usageSource: record.usageSource,
    warnings: record.warnings,
    labels: record.labels,
  };
}
