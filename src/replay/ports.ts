/** What replay needs from a storage. `LedgerStore` of `billing/ports.ts` implements it; a row is written with its call's settlement. */
import type { CallId, ProjectId } from '../core/ids.ts';

/** An answer stored for callers that send the same request again. */
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
  /** The sealed answer; null if it was not stored: it was streamed, is too large, or there was no space. */
  readonly answer: Uint8Array | null;
}

/** A row as it is read, without its answer. */
export interface KeptReplay extends Omit<ReplayRow, 'answer'> {
  /** Length of the sealed answer; 0 if none is stored. */
  readonly answerBytes: number;
}

export interface ReplayStore {
  /** The rows not expired at `nowMs`, oldest call first; expired ones are deleted before the first row is returned. */
  replays(nowMs: number): AsyncIterable<KeptReplay>;
  /** The sealed answer of a call; null if none is stored. */
  replayAnswer(callId: CallId): Promise<Uint8Array | null>;
}
