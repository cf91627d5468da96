/** What is secret and must outlive the process is kept sealed; who seals knows nothing of what it is. */
export interface Sealer {
  /** `about` names the place it is kept in: `provider:openai`, `totp:7`. It opens for no other place. */
  seal(plain: Buffer, about: string): Buffer;
  /** What was sealed for this place. Throws when it was changed, cut, moved here from elsewhere, or its key is gone. */
  open(sealed: Uint8Array, about: string): Buffer;
}
