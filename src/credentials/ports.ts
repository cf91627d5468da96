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
export interface RingStore {
  /** Replaces it whole: after a crash it holds either what it held, or this. */
  replace(entries: readonly RingEntry[]): Promise<void>;
}

/** The secrets of an installation: made on its first run, the same on every later one. A database has none of them in clear. */
export interface Secrets {
  /** Turns keys into the digests the database keeps; 32 bytes as hexadecimal text. */
  readonly pepper: Secret;
  /** Seals what is secret in the database: the active key and older ones. Never empty. */
  readonly sealingKeys: readonly RingEntry[];
  /** Null where the active key is given: then it is not ours to change. */
  readonly ringStore: RingStore | null;
}

/** What an operator gives in place of secrets that are kept; null where nothing is given. */
export interface GivenSecrets {
  /** Used in place of the kept one, which is then neither read nor made. */
  readonly pepper: Secret | null;
  /** The active key in place of the ring's, which is not made; keys that the ring has open what they sealed. */
  readonly sealingKey: Secret | null;
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
