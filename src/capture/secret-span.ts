/** Where a secret stands in a text, in UTF-16 units, and what it is. */
export interface SecretSpan {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly kind: 'e-mail address' | 'card number' | 'key';
}
