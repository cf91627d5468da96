/** Stored bodies: their types, what they need from a storage, and what handlers can do with them. */
import type { AccountId, CallId } from '../core/ids.ts';

/** The sealed bodies of one call. */
export interface SealedCapture {
  readonly callId: CallId;
  readonly accountId: AccountId;
  /** Wall time, ms. */
  readonly expiresAt: number;
  readonly sealed: Uint8Array;
}

/** The retention setting of an account, in days. */
export type RetentionOf = (accountId: AccountId) => number;

export interface CaptureStore {
  /** Written soon after, not immediately. Never throws for a full or broken disk; failures are counted. */
  append(capture: SealedCapture): void;
  read(accountId: AccountId, callId: CallId): Promise<SealedCapture | null>;
  /** Returns whether there was one. A member that owns its files overwrites in them what was deleted. */
  delete(accountId: AccountId, callId: CallId): Promise<boolean>;
  /** Returns how many there were. */
  deleteOf(accountId: AccountId): Promise<number>;
  /** Deletes what has expired at `nowMs`, and what is older than its account's current retention. */
  deleteExpired(nowMs: number, retentionDaysOf: RetentionOf): Promise<void>;
  /** The first bytes of sealed values, one per sealing key in use; enough to identify the key. */
  heads(): Promise<readonly Uint8Array[]>;
}

/** The stored text: redacted if the account asked for that. */
export interface KeptBody {
  readonly text: string;
  readonly isTruncated: boolean;
}

export interface KeptBodies {
  /** Null if the body was empty. */
  readonly request: KeptBody | null;
  readonly response: KeptBody | null;
  /** Wall time, ms. */
  readonly keptUntil: number;
}

/** For pages that show calls. A call of another account has no bodies. */
export interface CaptureReader {
  /** Null if none are stored. */
  bodiesOf(accountId: AccountId, callId: CallId): Promise<KeptBodies | null>;
  hasBodies(accountId: AccountId, callId: CallId): Promise<boolean>;
  /** Returns whether there were any. */
  deleteBodies(accountId: AccountId, callId: CallId): Promise<boolean>;
}
