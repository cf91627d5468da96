/**
 * Handlers for the newest calls, oldest first. `after` continues after a call. `since` follows new calls: those that ended since the
 * `sequence` of an earlier answer, in the order in which they ended.
 */
import { isLabelled, readLabelFilter } from '../../../core/call-labels.ts';
import { GatewayError } from '../../../core/errors.ts';
import { generationId, parseCallId } from '../../../core/ids.ts';
import { usdLiteral } from '../../../core/money.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import { type CallRecord, hasDetail } from '../../../stats/record.ts';
import type { Recorder } from '../../../stats/recorder.ts';
import type { recordRoutes } from '../../contract/records.ts';
import type { Handlers } from '../door/handler.ts';

export interface RecordServices {
  readonly records: Pick<Recorder, 'tail' | 'since' | 'follow'>;
}

/** The newest calls that are searched if there is a label filter. */
const SEARCHED_CALLS = 1000;

export function recordHandlers({ records }: RecordServices): Handlers<typeof recordRoutes> {
  return {
    tailRecords: async (_context, { query: { after, since, limit, ...asked } }) => {
      const labels = readLabelFilter(asked);
      const matches = (record: CallRecord) => labels === null || isLabelled(labels, record.labels);
      if (since !== undefined) {
        const news = records.since(since);
        return { data: news.records.filter(matches).map(describeRecord), sequence: news.sequence };
      }
      const afterId = after === undefined ? null : parseCallId(after);
      if (after !== undefined && afterId === null)
        throw new GatewayError('invalid_value', { message: 'after is not a call id.', param: 'after' });
      // Read before the store, so that a call that ends meanwhile is returned twice rather than never.
      const sequence = records.follow();
      const found = await records.tail({ after: afterId, limit: labels === null ? limit : SEARCHED_CALLS });
      const matching = found.filter(matches);
      return {
        data: (afterId === null ? matching.slice(-limit) : matching.slice(0, limit)).map(describeRecord),
        sequence,
      };
    },
  };
}

function describeRecord(record: CallRecord) {
  const isDetailed = hasDetail(record);
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
    status: isDetailed ? record.status : null,
    ending: record.ending,
    error_code: record.errorCode,
    finish_reason: record.finishReason,
    prompt_tokens: promptTokens(record.usage),
    completion_tokens: completionTokens(record.usage),
    cached_tokens: record.usage.cacheReadTokens,
    reasoning_tokens: record.usage.reasoningTokens,
    usage_source: record.usageSource,
    cost: usdLiteral(record.cost),
    rate: record.rate,
    own_credential: record.ownCredential,
    charge: usdLiteral(record.charge),
    saved: usdLiteral(record.saved),
    first_byte_ms: record.firstByteMs,
    duration_ms: isDetailed ? record.durationMs : null,
    request_bytes: isDetailed ? record.requestBytes : null,
    response_bytes: isDetailed ? record.responseBytes : null,
    attempts: [...record.attempts],
    warnings: [...record.warnings],
    user: record.labels?.user ?? null,
    app: record.labels?.app ?? null,
    referer: record.labels?.referer ?? null,
    metadata: { ...record.labels?.metadata },
    labels_cut: record.labels?.isCut ?? false,
  };
}
