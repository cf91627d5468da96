/** A hint must not reveal a large part of the credential. */
const HINTED_LENGTH_MIN = 13;
const HINT_LENGTH = 4;

/** The last four characters of a credential, to distinguish it from others; null if that would show too much, or nothing. */
export function credentialHint(credential: string): string | null {
  // The end of JSON is punctuation.
  return credential.length < HINTED_LENGTH_MIN || credential.startsWith('{') ? null : credential.slice(-HINT_LENGTH);
}
