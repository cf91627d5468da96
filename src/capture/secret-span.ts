/** The position of a secret in a text, in UTF-16 code units, and its kind. */
export interface SecretSpan {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly kind: 'e-mail address' | 'card number' | 'key';
}
