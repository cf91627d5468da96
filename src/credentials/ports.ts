/** What the key ring needs from a storage. */
import type { Secret } from '../core/secret.ts';

/** A key of the ring. The first of a list is the active one, which seals; the others only open. */
export interface RingEntry {
  /** 64 hexadecimal digits. */
  readonly secret: Secret;
  /** When it was replaced; null for the active key, or if unknown. */
  readonly retiredAt: number | null;
}

/** Where the ring is kept. */
export interface RingStore {
  /** Replaces all of it: after a crash it contains either the old entries or these. */
  replace(entries: readonly RingEntry[]): Promise<void>;
  /** As it is stored now; absent if no other process can change it. */
  read?(): Promise<readonly RingEntry[]>;
}

/** The feed's topic for the ring: another process replaced it. */
export interface RingTopics {
  readonly sealingKeys: { readonly seq: number };
}

/** The secrets of an installation: created on its first run and the same ever after. The database contains none of them in clear. */
export interface Secrets {
  /** Turns keys into the digests that the database stores; 32 bytes as hexadecimal text. */
  readonly pepper: Secret;
  /** Seal the secrets in the database: the active key and older ones. Never empty. */
  readonly sealingKeys: readonly RingEntry[];
  /** Null if the active key is configured: then it cannot be rotated here. */
  readonly ringStore: RingStore | null;
}

/** Secrets that an operator configures instead of the stored ones; null if not configured. */
export interface GivenSecrets {
  /** Replaces the stored pepper, which is then neither read nor created. */
  readonly pepper: Secret | null;
  /** Replaces the active key of the stored ring, which is not created; existing keys of the ring can still open what they sealed. */
  readonly sealingKey: Secret | null;
}

/** A sealed value and the name it was sealed for. */
export interface SealedRow {
  /** `provider:<name>`, `provider-credentials:<name>`, `totp:<user id>`, `own:<id>:<account>:<project or 0>:secret` or `:previous`. */
  readonly about: string;
  readonly sealed: Uint8Array;
}

export interface SealedStore {
  /** All values that do not expire. */
  sealed(): Promise<readonly SealedRow[]>;
  /** Replaces the value if it is still `before`, and returns whether it was: a newer one written by others stays. */
  replaceSealed(about: string, before: Uint8Array, after: Uint8Array): Promise<boolean>;
  /** The first bytes of sealed values that expire, enough to identify their keys. */
  expiringHeads(): Promise<readonly Uint8Array[]>;
}
