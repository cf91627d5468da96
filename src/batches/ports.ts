/** Batches of callers: what a row says, and what they need from a storage. */
import type { AccountId, BatchId, CallId, FileId, KeyId, ProjectId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

/** As callers see it: https://platform.openai.com/docs/guides/batch */
export const BATCH_STATUSES = [
  ...(['validating', 'in_progress', 'finalizing', 'cancelling'] as const),
  ...(['completed', 'failed', 'expired', 'cancelled'] as const),
] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];
/** Of a batch that has ended. */
export type BatchEnd = 'completed' | 'failed' | 'expired' | 'cancelled';

export type OpenStatus = Exclude<BatchStatus, BatchEnd>;

export function hasEnded(status: BatchStatus): status is BatchEnd {
  return status === 'completed' || status === 'failed' || status === 'expired' || status === 'cancelled';
}

/** Why the input of a batch is refused. */
export interface InputError {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** From 1; null if it is about the file. */
  readonly line: number | null;
}

/** Wall time, ms, of what has happened so far. */
export interface BatchTimes {
  readonly inProgressAt?: number;
  readonly finalizingAt?: number;
  readonly cancellingAt?: number;
  /** When it was completed, failed, expired or cancelled. */
  readonly endedAt?: number;
}

/** What changes while a batch runs. */
export interface BatchState {
  readonly status: BatchStatus;
  readonly times: BatchTimes;
  /** Made when the first line can run; after the end, null if nothing is in it. */
  readonly outputFileId: FileId | null;
  readonly errorFileId: FileId | null;
  /** Lines: 0 until they are counted. */
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** At most a hundred; empty unless it failed. */
  readonly errors: readonly InputError[];
  /** Lines that were called and have to be called again. */
  readonly waiting: number;
  /** The code of the error that the last of them got; null if none waits. */
  readonly waitingFor: string | null;
  /** Null until it has ended, and if it is not known then. */
  readonly totals: BatchTotals | null;
}

/** What the answers of a batch came to: the sum of the settlements of their calls. */
export interface BatchTotals {
  /** All tokens of prompts, cached or not. */
  readonly inputTokens: number;
  /** Those that were read from a cache. */
  readonly cachedTokens: number;
  /** Reasoning included. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly charge: Money;
  /** The model that served all of them; null if there were several, or no answer. */
  readonly model: string | null;
}

/** A sum over some of the answers. */
export interface SettledCalls extends Omit<BatchTotals, 'model'> {
  /** Calls that are settled where this was asked. */
  readonly calls: number;
  /** At most two. */
  readonly models: readonly string[];
}

export interface BatchRow extends BatchState {
  readonly id: BatchId;
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  /** Its lines are calls of this key. */
  readonly keyId: KeyId;
  /** Where its caller called from; null if that is not known. */
  readonly address: string | null;
  /** As its caller wrote it: `/v1/chat/completions`. */
  readonly endpoint: string;
  readonly inputFileId: FileId;
  /** Wall time, ms. */
  readonly createdAt: number;
  /** What has not run by then does not run. */
  readonly expiresAt: number;
  /** How long its results are kept, ms. */
  readonly keptMs: number;
  readonly metadata: Readonly<Record<string, string>> | null;
}

export interface BatchPage {
  /** The last batch of the page before; null for the first page. */
  readonly after: BatchId | null;
  readonly limit: number;
}

/** Which batches an operator or a member asks for; null for all. */
export interface BatchQuery extends BatchPage {
  readonly accountId: AccountId | null;
  readonly projectId: ProjectId | null;
  readonly keyId: KeyId | null;
  readonly statuses: readonly BatchStatus[] | null;
}

/** Who runs batches, and until when it may without saying again that it does. */
export interface BatchClaim {
  /** A name that no other process has. */
  readonly owner: string;
  /** Wall time of the database, ms. */
  readonly nowMs: number;
  readonly untilMs: number;
}

export interface BatchStore {
  create(row: BatchRow): Promise<void>;
  /** Null for a batch of another project, as for an unknown one. */
  find(projectId: ProjectId, id: BatchId): Promise<BatchRow | null>;
  /** Newest first. */
  list(projectId: ProjectId, page: BatchPage): Promise<readonly BatchRow[]>;
  /** Of any project, newest first. */
  search(query: BatchQuery): Promise<readonly BatchRow[]>;
  /** Of any project; null for an unknown one. */
  read(id: BatchId): Promise<BatchRow | null>;
  /** The sum over the settlements of these calls, of those that are there. At most 500. */
  settledCalls(calls: readonly CallId[]): Promise<SettledCalls>;
  /** A batch that has not ended and reads this file; null without one. */
  runningBatchOf(projectId: ProjectId, id: FileId): Promise<BatchId | null>;
  /** Batches that have not ended, of an account. */
  countOpen(accountId: AccountId): Promise<number>;
  /** Begins to cancel it if it still validates or runs. Null if it is unknown; otherwise as it is then. */
  cancel(projectId: ProjectId, id: BatchId, nowMs: number): Promise<BatchRow | null>;
  /**
   * Claims batches that have not ended and that nobody runs, at most `limit`: of each account among its ten oldest that have not ended, accounts in
   * turn. So batches that wait for a provider keep nobody else's from running.
   */
  claim(claim: BatchClaim, limit: number): Promise<readonly BatchRow[]>;
  /** Of these batches, those that the owner still has, as they are now; it has them until `untilMs`. */
  renew(claim: BatchClaim, ids: readonly BatchId[]): Promise<readonly BatchRow[]>;
  /** Anybody may run them from now on. */
  release(owner: string, ids: readonly BatchId[]): Promise<void>;
  /** False, and nothing is changed, if the owner does not have it any more, or it has none of the statuses `from`. */
  change(id: BatchId, owner: string, from: readonly BatchStatus[], changes: Partial<BatchState>): Promise<boolean>;
  /** Deletes batches that ended before this time, ms, some at a time. */
  deleteEnded(beforeMs: number): Promise<void>;
  /** Of the batches of an account that have ended, keeps as many, the last ones; deletes at most a hundred of the others. */
  keepLast(accountId: AccountId, keptMax: number): Promise<void>;
}
