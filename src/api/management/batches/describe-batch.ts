/** Describes a batch as operators and members see it: nothing of what is in its files. */
import { type BatchRow, type BatchStatus, hasEnded } from '../../../batches/ports.ts';
import { isoTime } from '../../../core/calendar.ts';
import { usdLiteral } from '../../../core/money.ts';
import { type NameSources, namedKey, namedProject } from '../reports/names.ts';

export function describeBatch(names: NameSources, row: BatchRow, canCancel: boolean) {
  const { id, status, endpoint, times, total, completed, failed, waiting, waitingFor, totals } = row;
  return {
    id,
    status,
    endpoint,
    project: namedProject(names, row.projectId),
    key: namedKey(names, row.keyId),
    created_at: isoTime(row.createdAt),
    expires_at: isoTime(row.expiresAt),
    in_progress_at: timeOf(times.inProgressAt),
    ended_at: timeOf(times.endedAt),
    total,
    completed,
    failed,
    waiting,
    waiting_for: waitingFor,
    charge: totals === null ? null : usdLiteral(totals.charge),
    model: totals?.model ?? null,
    can_cancel: canCancel && CANCELLABLE.has(row.status),
  };
}

export function describeWholeBatch(names: NameSources, row: BatchRow, canCancel: boolean) {
  const { times, totals } = row;
  const isOver = hasEnded(row.status);
  return {
    ...describeBatch(names, row, canCancel),
    cancelling_at: timeOf(times.cancellingAt),
    finalizing_at: timeOf(times.finalizingAt),
    input_file_id: row.inputFileId,
    output_file_id: isOver ? row.outputFileId : null,
    error_file_id: isOver ? row.errorFileId : null,
    tokens:
      totals === null
        ? null
        : {
            input: totals.inputTokens,
            cached: totals.cachedTokens,
            output: totals.outputTokens,
            reasoning: totals.reasoningTokens,
          },
    errors: row.errors.map(({ code, message, param, line }) => ({ code, message, param, line })),
    metadata: row.metadata,
  };
}

const CANCELLABLE: ReadonlySet<BatchStatus> = new Set(['validating', 'in_progress']);

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : isoTime(ms);
}
