/** What running batches needs of the rest of the program. */
import type { Body } from '../core/body.ts';
import type { Clock } from '../core/clock.ts';
import type { BatchId, CallId, FileId, KeyId, ProjectId } from '../core/ids.ts';
import type { FileRow, FileStore } from '../files/ports.ts';
import type { BatchRow, BatchStore } from './ports.ts';
import type { ResultSpace } from './result-space.ts';

/** A line that is called: see `Line` of the gateway. */
export interface CalledLine {
  readonly batchId: BatchId;
  readonly number: number;
  readonly keyId: KeyId;
  readonly address: string | null;
}

export interface LineAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Nobody else has it: it may be changed. */
  readonly body: Buffer;
}

/** Rejects if the answer breaks off: nothing is known then of what the call has come to. */
export type CallLine = (line: CalledLine, request: { path: string; body: Buffer }) => Promise<LineAnswer>;

export interface LineOfBatch {
  readonly batchId: string;
  readonly number: number;
}

/** What is stored of lines that were served, until their results are in a file. */
export interface StoredLines {
  /** Whether a batch may end without these lines; false while a call of which nothing is stored yet may still be charged for one. */
  leaveLines(projectId: ProjectId, batchId: string, lines: Iterable<number>, nowMs: number): Promise<boolean>;
  /** The same for a line of which the call `own` has failed. */
  leaveLine(projectId: ProjectId, line: LineOfBatch, own: CallId, nowMs: number): Promise<boolean>;
  linesOf(projectId: ProjectId, batchId: string): Promise<readonly CallId[]>;
  answerOf(
    projectId: ProjectId,
    line: LineOfBatch,
    nowMs: number,
  ): Promise<{ readonly callId: CallId; readonly body: Buffer } | null>;
  forgetLines(calls: readonly CallId[]): Promise<void>;
}

export type LineOutcome = 'completed' | 'failed' | 'again';

export interface BatchLimits {
  /** Of all batches together, at this node. */
  readonly linesAtOnce: number;
  readonly linesMax: number;
  readonly lineBytesMax: number;
  readonly accountFilesBytesMax: number;
  readonly accountFilesMax: number;
}

export interface RunParts {
  readonly store: Pick<BatchStore, 'change' | 'settledCalls'>;
  readonly files: Pick<FileStore, 'create' | 'complete' | 'find' | 'delete' | 'chunkNumbers'>;
  readonly contents: {
    read(id: FileId, from?: number): AsyncIterable<Buffer>;
    write(id: FileId, number: number, bytes: Body): Promise<void>;
  };
  readonly call: CallLine;
  readonly answers: StoredLines;
  readonly clock: Clock;
  readonly space: Pick<ResultSpace, 'roomOf' | 'hasRoomForBatch' | 'wrote' | 'look'>;
  /** A name that no other process has. */
  readonly owner: string;
  readonly limits: () => BatchLimits;
  /** Called when a line was called: it has its result, or is called again. */
  readonly onLine: (outcome: LineOutcome) => void;
  readonly log: { warn(facts: object, event: string): void };
}

/** The row of a file of results, while it is written. */
export function resultFile(batch: BatchRow, id: FileId, name: string, nowMs: number): FileRow {
  const { accountId, projectId, keptMs } = batch;
  return {
    id,
    accountId,
    projectId,
    purpose: 'batch_output',
    name: `${batch.id}_${name}.jsonl`,
    bytes: 0,
    createdAt: nowMs,
    expiresAt: Math.max(batch.expiresAt, nowMs) + keptMs,
    isComplete: false,
  };
}
