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

/** The rows of lines of batches. They are written like all others, and read and deleted by what a batch knows. */
export interface LineAnswerStore {
  /** The call that something is stored of under one of these digests; null without one. `digest` of it is the place in the list. */
  find(projectId: ProjectId, keyDigests: readonly Uint8Array[], nowMs: number): Promise<EarlierCall | null>;
  /** The calls that something is stored of between these digests, both included. */
  between(projectId: ProjectId, first: Uint8Array, last: Uint8Array): Promise<readonly CallId[]>;
  /** Deletes what is stored of these calls; their settlements stay. */
  delete(calls: readonly CallId[]): Promise<void>;
}

/** A key that a call is about to run under. */
export interface ReplayClaim {
  readonly projectId: ProjectId;
  /** Digests of the key under each sealing key that is known, 32 bytes each; the one to claim it under is first. */
  readonly keyDigests: readonly [Uint8Array, ...Uint8Array[]];
  /** Under the first of them. */
  readonly bodyDigest: Uint8Array;
  readonly callId: CallId;
  /** Wall time, ms. */
  readonly nowMs: number;
  /** When the claim counts as forgotten. */
  readonly expiresAt: number;
}

/** A claim of a call that runs. */
export interface RunningClaim extends Omit<ReplayClaim, 'keyDigests' | 'nowMs'> {
  readonly keyDigest: Uint8Array;
}

/** A claim of a call whose row is not written yet. */
export interface OpenClaim {
  readonly keyDigest: Uint8Array;
  readonly callId: CallId;
  /** Whether the call may still run; otherwise its node is lost, and may come back with its settlement. */
  readonly mayRun: boolean;
}

/** The first call of a key. */
export interface EarlierCall {
  readonly callId: CallId;
  /** Which of the digests it is known by, from 0. */
  readonly digest: number;
  readonly bodyDigest: Uint8Array;
  readonly hasEnded: boolean;
}

/** Where several nodes agree on which call is the first under its key. */
export interface ReplayClaims {
  /** Null if the key is this call's now: until its row is written, it is released, or its node is declared lost. */
  claim(claim: ReplayClaim): Promise<EarlierCall | null>;
  /**
   * The node has a new place, because its last one is over: what it claimed there it claims here, and the keys of its running calls that nobody
   * has. A key that another call has meanwhile stays with that.
   */
  claimAgain(running: readonly RunningClaim[]): Promise<void>;
  /** The claims of keys between these digests, both included, of calls whose rows are not written yet. `nowMs` is wall time. */
  between(projectId: ProjectId, first: Uint8Array, last: Uint8Array, nowMs: number): Promise<readonly OpenClaim[]>;
  /**
   * Gives up the keys of calls whose nodes are lost: none of them will be charged. Those that were settled meanwhile are, and have their rows.
   * False, and nothing is given up, if one of them may still run. `nowMs` is wall time.
   */
  giveUp(calls: readonly CallId[], nowMs: number): Promise<boolean>;
  /** Calls that ended without a row: their keys are free. */
  release(calls: readonly CallId[]): Promise<void>;
  /** Deletes claims of calls that were forgotten long ago; their keys are free anyway. `nowMs` is wall time. */
  deleteExpired(nowMs: number): Promise<void>;
}
