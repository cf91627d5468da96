/** What kept bodies are, what is asked of a storage for them, and what handlers may ask. */
import type { AccountId, CallId } from '../core/ids.ts';

/** The bodies of one call, ready for the disk: nobody reads them there. */
export interface SealedCapture {
  readonly callId: CallId;
  readonly accountId: AccountId;
  /** Wall time, ms. */
  readonly expiresAt: number;
  readonly sealed: Uint8Array;
}

/** Days of an account's setting. */
export type RetentionOf = (accountId: AccountId) => number;

export interface CaptureStore {
  /** Written soon after, not at once. Never throws for a full or broken disk; it counts. */
  append(capture: SealedCapture): void;
  read(accountId: AccountId, callId: CallId): Promise<SealedCapture | null>;
  /** Whether there was one. What is deleted is not to be found in the file any more. */
  delete(accountId: AccountId, callId: CallId): Promise<boolean>;
  /** How many there were. */
  deleteOf(accountId: AccountId): Promise<number>;
  /** What has expired at `nowMs`, and what is older than its account lets bodies be kept now. */
  deleteExpired(nowMs: number, retentionDaysOf: RetentionOf): Promise<void>;
  /** Beginnings of sealed values, one for each key that sealed any; long enough to tell which. */
  heads(): Promise<readonly Uint8Array[]>;
}

/** As it was kept: redacted where the account asked for that. */
export interface KeptBody {
  readonly text: string;
  readonly isTruncated: boolean;
}

export interface KeptBodies {
  /** Null where nothing of it was there to keep. */
  readonly request: KeptBody | null;
  readonly response: KeptBody | null;
  /** Wall time, ms. */
  readonly keptUntil: number;
}

/** For who shows calls. Another account's call has no bodies. */
export interface CaptureReader {
  /** Null where none are kept. */
  bodiesOf(accountId: AccountId, callId: CallId): Promise<KeptBodies | null>;
  hasBodies(accountId: AccountId, callId: CallId): Promise<boolean>;
  /** Whether there were any. */
  deleteBodies(accountId: AccountId, callId: CallId): Promise<boolean>;
}
