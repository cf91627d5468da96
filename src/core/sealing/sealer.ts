import type { Body } from '../body.ts';

/** Seals (encrypts) secrets that must outlive the process; it does not know what they are. */
export interface Sealer {
  /** `about` names what the secret belongs to: `provider:openai`, `totp:7`. It can be opened only with the same name. */
  seal(plain: Buffer, about: string): Buffer;
  /** Returns what was sealed. Throws if it was modified or truncated, was sealed under another name, or its key is missing. */
  open(sealed: Uint8Array, about: string): Buffer;
}

/** Whose keys other nodes rotate, too. */
export interface SharedSealer extends Sealer {
  /** As `seal`, for as many bytes as there may be: calls run in between. */
  sealInTurns(plain: Body, about: string): Promise<Buffer>;
  /**
   * As `open`, for what may have been sealed a moment ago by another node under a key that this process does not have yet: then the keys
   * are read once more. However large it is, calls run in between.
   */
  openStored(sealed: Uint8Array, about: string): Promise<Buffer>;
}
