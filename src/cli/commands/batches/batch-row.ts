/** A batch in answers of the management API, and as commands print it. */
import type { Named } from '../accounts/find-account.ts';

/** Money is decimal text. */
export interface ManagedBatch {
  readonly id: string;
  readonly status: string;
  readonly endpoint: string;
  readonly project: Named;
  readonly key: Named;
  readonly created_at: string;
  readonly expires_at: string;
  readonly in_progress_at: string | null;
  readonly ended_at: string | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly waiting: number;
  readonly waiting_for: string | null;
  readonly charge: string | null;
  readonly model: string | null;
}

export interface FoundBatch extends ManagedBatch {
  readonly account: Named;
}

/** With its files, tokens and errors. */
export interface WholeBatch extends ManagedBatch {
  readonly input_file_id: string;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly tokens: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
    readonly reasoning: number;
  } | null;
  readonly errors: readonly {
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
    readonly line: number | null;
  }[];
}

export function batchRow(batch: ManagedBatch, account: Named) {
  return {
    id: batch.id,
    status: batch.status,
    endpoint: batch.endpoint,
    account: { id: account.id, name: account.name },
    project: batch.project,
    key: batch.key,
    created_at: batch.created_at,
    expires_at: batch.expires_at,
    in_progress_at: batch.in_progress_at,
    ended_at: batch.ended_at,
    total: batch.total,
    completed: batch.completed,
    failed: batch.failed,
    waiting: batch.waiting,
    waiting_for: batch.waiting_for,
    charge: batch.charge,
    model: batch.model,
  };
}

export function wholeBatchRow(batch: WholeBatch, account: Named) {
  return {
    ...batchRow(batch, account),
    input_file_id: batch.input_file_id,
    output_file_id: batch.output_file_id,
    error_file_id: batch.error_file_id,
    tokens: batch.tokens,
    errors: batch.errors,
  };
}

/** `13 of 40, 1 failed`: how many have their result, as in the dashboard; `-` until its lines are counted. */
export function progressText({ total, completed, failed }: ManagedBatch): string {
  if (total === 0) return '-';
  return `${completed + failed} of ${total}${failed === 0 ? '' : `, ${failed} failed`}`;
}

/** `3, upstream_rate_limited`, `-` if no line waits. */
export function waitingText({ waiting, waiting_for: code }: ManagedBatch): string {
  if (waiting === 0) return '-';
  return code === null ? String(waiting) : `${waiting}, ${code}`;
}
