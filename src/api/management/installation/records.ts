/**
 * The newest calls, oldest first; `after` goes on after a call. `since` follows along: what ended since the `sequence` of an
 * earlier answer, in the order in which it ended.
 */
import { isLabelled, readLabelFilter } from '../../../core/call-labels.ts';
import { GatewayError } from '../../../core/errors.ts';
import { generationId, parseCallId } from '../../../core/ids.ts';
import { usdLiteral } from '../../../core/money.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { CallRecord } from '../../../stats/record.ts';
import type { Recorder } from '../../../stats/recorder.ts';
import type { recordRoutes } from '../../contract/records.ts';
import type { Handlers } from '../door/handler.ts';

export interface RecordServices {
  readonly records: Pick<Recorder, 'tail' | 'since' | 'follow'>;
}

/** Where labels are asked for, so many of the newest calls are looked at. */
const LOOKED_AT = 1000;

export function recordHandlers({ records }: RecordServices): Handlers<typeof recordRoutes> {
  return {
    tailRecords: async (_context, { query: { after, since, limit, ...asked } }) => {
      const labels = readLabelFilter(asked);
      const isMeant = (record: CallRecord) => labels === null || isLabelled(labels, record.labels);
      if (since !== undefined) {
        const news = records.since(since);
        return { data: news.records.filter(isMeant).map(describeRecord), sequence: news.sequence };
      }
      const afterId = after === undefined ? null : parseCallId(after);
      if (after !== undefined && afterId === null)
        throw new GatewayError('invalid_value', { message: 'after is not a call id.', param: 'after' });
      // Read before the store is: what ends meanwhile is answered twice rather than never.
      const sequence = records.follow();
      const found = await records.tail({ after: afterId, limit: labels === null ? limit : LOOKED_AT });
      const meant = found.filter(isMeant);
      return { data: (afterId === null ? meant.slice(-limit) : meant.slice(0, limit)).map(describeRecord), sequence };
    },
  };
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
    attempts: [...record.attempts],
    warnings: [...record.warnings],
    user: record.labels?.user ?? null,
    app: record.labels?.app ?? null,
    referer: record.labels?.referer ?? null,
    metadata: { ...record.labels?.metadata },
    labels_cut: record.labels?.isCut ?? false,
  };
}
