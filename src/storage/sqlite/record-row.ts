/** A record as a row of a day file, and back. Names are written out: a day file can be read by itself. */
import type { SQLInputValue } from 'node:sqlite';
import { accountId, callIdBytes, callIdFromBytes, keyId, priceVersionId, projectId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import type { Attempt, CallRecord } from '../../stats/ports.ts';
import { endingCodes, endingOf, usageSourceCodes, usageSourceOf } from '../sql/codes.ts';
import { SETTLEMENT_COLUMNS } from '../sql/settlement-columns.ts';

/** The columns a record has beyond its settlement's, with what stands there when only the settlement is left. */
export const DETAIL_DEFAULTS = {
  dialect: "''",
  upstream_dialect: 'NULL',
  upstream_id: 'NULL',
  streamed: '0',
  status: '0',
  error_code: 'NULL',
  finish_reason: 'NULL',
  attempts: "'[]'",
  warnings: "'[]'",
  first_byte_ms: 'NULL',
  duration_ms: '0',
  request_bytes: '0',
  response_bytes: '0',
} as const;

export const RECORD_COLUMNS: readonly string[] = [...SETTLEMENT_COLUMNS, ...Object.keys(DETAIL_DEFAULTS)];

/** What to select for `readRecord`: money as text, for it may be larger than a double holds exactly. */
export const SELECTED_COLUMNS: string = RECORD_COLUMNS.map((column) =>
  column.endsWith('_nano') ? `CAST(${column} AS TEXT) AS ${column}` : column,
).join(', ');

/** The values of `RECORD_COLUMNS`, in their order. */
export function recordValues(record: CallRecord): SQLInputValue[] {
  const { usage } = record;
  return [
    callIdBytes(record.callId),
    record.admittedAt,
    record.accountId,
    record.projectId,
    record.keyId,
    record.operation,
    record.model,
    record.provider,
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    usage.cacheWrite1hTokens,
    usage.inputAudioTokens,
    usage.outputTokens,
    usage.outputAudioTokens,
    usage.reasoningTokens,
    usage.webSearches,
    usageSourceCodes[record.usageSource],
    record.priceVersion,
    record.cost,
    record.charge,
    endingCodes[record.ending],
    record.dialect,
    record.upstreamDialect,
    record.upstreamId,
    record.streamed ? 1 : 0,
    record.status,
    record.errorCode,
    record.finishReason,
    writeAttempts(record.attempts),
    record.warnings.length === 0 ? '[]' : JSON.stringify(record.warnings),
    record.firstByteMs,
    record.durationMs,
    record.requestBytes,
    record.responseBytes,
  ];
}

export interface RecordRow {
  readonly call_id: Uint8Array;
  readonly admitted_at: number;
  readonly account_id: number;
  readonly project_id: number;
  readonly key_id: number;
  readonly operation: string;
  readonly model: string;
  readonly provider: string;
  readonly input_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly cache_write_1h_tokens: number;
  readonly input_audio_tokens: number;
  readonly output_tokens: number;
  readonly output_audio_tokens: number;
  readonly reasoning_tokens: number;
  readonly web_searches: number;
  readonly usage_source: number;
  readonly price_version: number | null;
  readonly cost_nano: string | null;
  readonly charge_nano: string;
  readonly ending: number;
  readonly dialect: string;
  readonly upstream_dialect: string | null;
  readonly upstream_id: string | null;
  readonly streamed: number;
  readonly status: number;
  readonly error_code: string | null;
  readonly finish_reason: string | null;
  readonly attempts: string;
  readonly warnings: string;
  readonly first_byte_ms: number | null;
  readonly duration_ms: number;
  readonly request_bytes: number;
  readonly response_bytes: number;
}

export function readRecord(row: RecordRow): CallRecord {
  return {
    callId: callIdFromBytes(row.call_id),
    admittedAt: row.admitted_at,
    accountId: accountId(row.account_id),
    projectId: projectId(row.project_id),
    keyId: keyId(row.key_id),
    operation: row.operation,
    model: row.model,
    provider: row.provider,
    usage: {
      inputTokens: row.input_tokens,
      cacheReadTokens: row.cache_read_tokens,
      cacheWriteTokens: row.cache_write_tokens,
      cacheWrite1hTokens: row.cache_write_1h_tokens,
      inputAudioTokens: row.input_audio_tokens,
      outputTokens: row.output_tokens,
      outputAudioTokens: row.output_audio_tokens,
      reasoningTokens: row.reasoning_tokens,
      webSearches: row.web_searches,
    },
    usageSource: usageSourceOf(row.usage_source),
    priceVersion: row.price_version === null ? null : priceVersionId(row.price_version),
    cost: row.cost_nano === null ? null : nanoUsd(BigInt(row.cost_nano)),
    charge: nanoUsd(BigInt(row.charge_nano)),
    ending: endingOf(row.ending),
    dialect: row.dialect,
    upstreamDialect: row.upstream_dialect,
    upstreamId: row.upstream_id,
    streamed: row.streamed !== 0,
    status: row.status,
    errorCode: row.error_code,
    finishReason: row.finish_reason,
    attempts: readAttempts(row.attempts),
    warnings: JSON.parse(row.warnings) as string[],
    firstByteMs: row.first_byte_ms,
    durationMs: row.duration_ms,
    requestBytes: row.request_bytes,
    responseBytes: row.response_bytes,
  };
}

/** Each attempt is a list of its values without their names, which would be half of the row. */
type AttemptValues = [Attempt['provider'], Attempt['upstreamModel'], Attempt['status'], Attempt['error'], number];

function writeAttempts(attempts: readonly Attempt[]): string {
  return JSON.stringify(
    attempts.map(
      (attempt): AttemptValues => [
        attempt.provider,
        attempt.upstreamModel,
        attempt.status,
        attempt.error,
        attempt.durationMs,
      ],
    ),
  );
}

function readAttempts(text: string): Attempt[] {
  return (JSON.parse(text) as AttemptValues[]).map(([provider, upstreamModel, status, error, durationMs]) => ({
    provider,
    upstreamModel,
    status,
    error,
    durationMs,
  }));
}
