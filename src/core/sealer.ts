/** Seals (encrypts) secrets that must outlive the process; it does not know what they are. */
export interface Sealer {
  /** `about` names what the secret belongs to: `provider:openai`, `totp:7`. It can be opened only with the same name. */
  seal(plain: Buffer, about: string): Buffer;
  /** Returns what was sealed. Throws if it was modified or truncated, was sealed under another name, or its key is missing. */
  open(sealed: Uint8Array, about: string): Buffer;
}
