/** What replay asks of a storage. `LedgerStore` of `billing/ports.ts` is one; a row is written with its call's settlement row. */
import type { CallId, ProjectId } from '../core/ids.ts';

/** An answer kept for a caller that sends the same request again. */
export interface ReplayRow {
  readonly projectId: ProjectId;
  /** 32 bytes: a keyed digest of project and idempotency key. */
  readonly keyDigest: Uint8Array;
  /** 32 bytes: a keyed digest of project, route and body. */
  readonly bodyDigest: Uint8Array;
  readonly callId: CallId;
  /** Wall time, ms. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The sealed answer; null where none is kept: it was streamed, is too large, or there was no room. */
  readonly answer: Uint8Array | null;
}

/** A row as it is read, without its answer. */
export interface KeptReplay extends Omit<ReplayRow, 'answer'> {
  /** Length of the sealed answer; 0 where none is kept. */
  readonly answerBytes: number;
}

export interface ReplayStore {
  /** The rows not expired at `nowMs`, the oldest call first; expired ones are deleted before the first is given. */
  replays(nowMs: number): AsyncIterable<KeptReplay>;
  /** The sealed answer of a call; null where none is kept. */
  replayAnswer(callId: CallId): Promise<Uint8Array | null>;
}
