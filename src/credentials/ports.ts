/** What the key ring asks of a storage. */
import type { Secret } from '../core/secret.ts';

/** A key of the ring. The first of a list is the active one, which seals; the others only open. */
export interface RingEntry {
  /** 64 hexadecimal digits. */
  readonly secret: Secret;
  /** When another one took its place; null for the active one, and where nobody knows. */
  readonly retiredAt: number | null;
}

/** Where the ring is kept. */
export interface RingFile {
  /** Replaces it whole: after a crash it holds either what it held, or this. */
  write(entries: readonly RingEntry[]): void;
}

/** A sealed value and the place it is kept in, as it was sealed for it. */
export interface SealedRow {
  /** `provider:<name>`, `totp:<user id>`. */
  readonly about: string;
  readonly sealed: Uint8Array;
}

export interface SealedStore {
  /** All that is kept for good. */
  sealed(): Promise<readonly SealedRow[]>;
  /** Whether the value was still `before`: somebody else's newer one stays. */
  replaceSealed(about: string, before: Uint8Array, after: Uint8Array): Promise<boolean>;
  /** Beginnings of sealed values that expire by themselves, long enough to tell their keys. */
  expiringHeads(): Promise<readonly Uint8Array[]>;
}
