/** Batches as callers see them: https://platform.openai.com/docs/api-reference/batch/object */
import type { BatchList } from '../../batches/callers-batches.ts';
import { type BatchRow, type BatchStatus, hasEnded } from '../../batches/ports.ts';

export function batchObject(row: BatchRow): object {
  const { id, endpoint, errors, inputFileId, status, times, metadata } = row;
  const isOver = hasEnded(status);
  const endedAs = (each: BatchStatus) => (status === each ? seconds(times.endedAt) : null);
  return {
    id,
    object: 'batch',
    endpoint,
    errors: errors.length === 0 ? null : { object: 'list', data: errors },
    input_file_id: inputFileId,
    completion_window: '24h',
    status,
    // Until then they are not complete.
    output_file_id: isOver ? row.outputFileId : null,
    error_file_id: isOver ? row.errorFileId : null,
    created_at: seconds(row.createdAt),
    in_progress_at: seconds(times.inProgressAt),
    expires_at: seconds(row.expiresAt),
    finalizing_at: seconds(times.finalizingAt),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: seconds(times.cancellingAt),
    cancelled_at: endedAs('cancelled'),
    model: row.totals?.model ?? null,
    usage: usageOf(row),
    request_counts: { total: row.total, completed: row.completed, failed: row.failed },
    metadata,
  };
}

export function listObject({ batches, hasMore }: BatchList): object {
  return {
    object: 'list',
    data: batches.map(batchObject),
    first_id: batches[0]?.id ?? null,
    last_id: batches.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** Null until it has ended, and if it was not known then. */
function usageOf({ totals }: BatchRow): object | null {
  if (totals === null) return null;
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens } = totals;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

function seconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1_000);
}
