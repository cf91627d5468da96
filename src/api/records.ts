/**
 * The newest calls, oldest first; `after` goes on behind a call. `since` follows along: what ended
 * since the `sequence` of an earlier answer, in the order in which it ended.
 */
import * as z from 'zod';
import { isLabelled, METADATA_FILTER, readLabelFilter } from '../core/call-labels.ts';
import { GatewayError } from '../core/errors.ts';
import { generationId, parseCallId } from '../core/ids.ts';
import { usdLiteral } from '../core/money.ts';
import { completionTokens, promptTokens } from '../core/usage.ts';
import type { CallRecord } from '../stats/record.ts';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

/** Where labels are asked for, so many of the newest calls are looked at. */
const LOOKED_AT = 1000;

const tailQuery = z.strictObject({
  after: z.string().nullable().default(null),
  since: z.coerce.number().int().min(0).nullable().default(null),
  limit: z.coerce.number().int().min(1).max(LOOKED_AT).default(20),
  user: z.string().max(256).optional(),
  app: z.string().max(128).optional(),
  metadata: z.string().regex(METADATA_FILTER).optional(),
});

export async function tailRecords(services: Pick<ControlServices, 'records'>, query: unknown) {
  const { after, since, limit, ...asked } = parseInput(tailQuery, query);
  const labels = readLabelFilter(asked);
  const isMeant = (record: CallRecord) => labels === null || isLabelled(labels, record.labels);
  if (since !== null) {
    const news = services.records.since(since);
    return { data: news.records.filter(isMeant).map(describeRecord), sequence: news.sequence };
  }
  const afterId = after === null ? null : parseCallId(after);
  if (after !== null && afterId === null) {
    throw new GatewayError('invalid_value', { message: 'after is no id of a call.', param: 'after' });
  }
  // Read before the store is: what ends meanwhile is told twice rather than never.
  const sequence = services.records.follow();
  const records = await services.records.tail({ after: afterId, limit: labels === null ? limit : LOOKED_AT });
  const meant = records.filter(isMeant);
  return { data: (afterId === null ? meant.slice(-limit) : meant.slice(0, limit)).map(describeRecord), sequence };
}

function describeRecord(record: CallRecord) {
  return {
    id: generationId(record.callId),
    admitted_at: new Date(record.admittedAt).toISOString(),
    key_id: record.keyId,
    project_id: record.projectId,
    operation: record.operation,
    dialect: record.dialect,
    model: record.model,
    provider: record.provider,
    streamed: record.streamed,
    status: record.status,
    ending: record.ending,
    error_code: record.errorCode,
    finish_reason: record.finishReason,
    prompt_tokens: promptTokens(record.usage),
    completion_tokens: completionTokens(record.usage),
    cached_tokens: record.usage.cacheReadTokens,
    reasoning_tokens: record.usage.reasoningTokens,
    usage_source: record.usageSource,
    cost: usdLiteral(record.cost),
    charge: usdLiteral(record.charge),
    first_byte_ms: record.firstByteMs,
    duration_ms: record.durationMs,
    request_bytes: record.requestBytes,
    response_bytes: record.responseBytes,
    attempts: record.attempts,
    warnings: record.warnings,
    user: record.labels?.user ?? null,
    app: record.labels?.app ?? null,
    referer: record.labels?.referer ?? null,
    metadata: { ...record.labels?.metadata },
    labels_cut: record.labels?.isCut ?? false,
  };
}
