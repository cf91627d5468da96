/** A call that runs under an idempotency key; the code that serves the call ends it. */
import type { Clock } from '../core/clock.ts';
import type { CallId, ProjectId } from '../core/ids.ts';
import type { AnswerSeal } from './answer-seal.ts';
import type { AnswerSpace } from './answer-space.ts';
import type { ReplayRow } from './ports.ts';
import type { ReplayIndex, RunningEntry } from './replay-index.ts';

/** Longer answers are not stored. */
export const ANSWER_BYTES_MAX = 1024 * 1024;
/** How long an ended call is known. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** It ends with the first call of `done` or `release`; later calls are ignored. */
export interface ReplayTicket {
  /**
   * The row to write in one transaction with the call's settlement. `answer` is the whole body as the caller
   * gets it, null if it was streamed. Returns null if the ticket has ended, or ran so long that it was forgotten.
   * `nowMs` is wall time.
   */
  rowFor(answer: Buffer | null, nowMs: number): ReplayRow | null;
  /** The same for an answer of any size: calls run while it is sealed. */
  rowInTurns(answer: Buffer, nowMs: number): Promise<ReplayRow | null>;
  /** The row is durable: from now on the same request gets this answer. Without a row, the key is free. */
  done(row: ReplayRow | null): void;
  /** The call has no answer to store: the key is free. */
  release(): void;
}

/** How long an answer of a line is stored if nobody takes it: longer than a node is away. */
export const LINE_KEPT_MS = 30 * KEPT_MS;

export interface TicketParts {
  /** Called when the call has ended without a row. */
  readonly onFree?: ((callId: CallId) => void) | undefined;
  readonly index: ReplayIndex;
  readonly seal: AnswerSeal;
  readonly space: AnswerSpace;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The account that the entry will belong to. */
  readonly owner: number;
}

export class RunningCall implements RunningEntry, ReplayTicket {
  readonly type = 'running';
  readonly name: string;
  readonly bodyDigest: string;
  readonly callId: CallId;
  readonly projectId: ProjectId;
  since = 0;
  protected readonly parts: TicketParts;
  protected isOver = false;

  constructor(name: string, bodyDigest: string, callId: CallId, projectId: ProjectId, parts: TicketParts) {
    this.name = name;
    this.bodyDigest = bodyDigest;
    this.callId = callId;
    this.projectId = projectId;
    this.parts = parts;
  }

  rowFor(answer: Buffer | null, nowMs: number): ReplayRow | null {
    const { index, seal, space, owner } = this.parts;
    if (!index.isRunning(this)) return null;
    this.stillRuns();
    const row = this.rowWithout(nowMs);
    const isKept = answer !== null && answer.length <= ANSWER_BYTES_MAX && space.hasSpaceFor(owner, answer.length);
    return { ...row, answer: isKept ? seal.seal(answer, row) : null };
  }

  /** None is stored that takes more than a turn. */
  async rowInTurns(answer: Buffer, nowMs: number): Promise<ReplayRow | null> {
    return this.rowFor(answer, nowMs);
  }

  done(row: ReplayRow | null): void {
    const { index, space, owner, onFree } = this.parts;
    if (row === null) onFree?.(this.callId);
    if (!index.isRunning(this)) return;
    index.leave(this);
    if (row === null) return;
    if (row.answer !== null) space.take(owner, row.answer.length, row.expiresAt);
    const { name, bodyDigest, callId } = this;
    const ended = { type: 'ended', name, bodyDigest, callId, expiresAt: row.expiresAt } as const;
    index.remember(owner, ended, row.createdAt);
  }

  release(): void {
    this.done(null);
  }

  /** The disk may be slow: no other call must get the key meanwhile. */
  protected stillRuns(): void {
    const { index, clock } = this.parts;
    if (index.isRunning(this)) index.enter(this, clock.monotonic());
  }

  /** The row without its answer. */
  protected rowWithout(nowMs: number): Omit<ReplayRow, 'answer'> {
    return {
      projectId: this.projectId,
      keyDigest: Buffer.from(this.name, 'latin1'),
      bodyDigest: Buffer.from(this.bodyDigest, 'latin1'),
      callId: this.callId,
      createdAt: nowMs,
      expiresAt: nowMs + KEPT_MS,
    };
  }
}

/**
 * The same for a line of a batch. Its answer is stored whatever its size, and whatever space there is: the line is charged, so its result must be
 * found after a crash. Once that is in the batch's file, the row is deleted, so it takes none of the space for callers' answers.
 */
export class RunningLine extends RunningCall {
  override rowFor(answer: Buffer | null, nowMs: number): ReplayRow {
    const row = this.#row(nowMs);
    return { ...row, answer: answer === null ? null : this.parts.seal.seal(answer, row) };
  }

  override async rowInTurns(answer: Buffer, nowMs: number): Promise<ReplayRow> {
    const row = this.#row(nowMs);
    return { ...row, answer: await this.parts.seal.sealInTurns(answer, row) };
  }

  #row(nowMs: number): Omit<ReplayRow, 'answer'> {
    this.stillRuns();
    return { ...this.rowWithout(nowMs), expiresAt: nowMs + LINE_KEPT_MS };
  }

  override done(row: ReplayRow | null): void {
    if (this.isOver) return;
    this.isOver = true;
    const { index, onFree } = this.parts;
    if (row === null) onFree?.(this.callId);
    if (index.isRunning(this)) index.leave(this);
  }
}
