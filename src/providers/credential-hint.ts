import { createHash } from 'node:crypto';

/** A hint must not reveal a large part of the credential. */
const HINTED_LENGTH_MIN = 13;
const HINT_LENGTH = 4;

/** The last four characters of a credential, to distinguish it from others; null if that would show too much, or nothing. */
export function credentialHint(credential: string): string | null {
  // The end of JSON is punctuation.
  return credential.length < HINTED_LENGTH_MIN || credential.startsWith('{') ? null : credential.slice(-HINT_LENGTH);
}

const MARK_CHARACTERS = 16;

/** A short digest, by which a credential is recognised, also after a restart: it is compared with the few of one entry only. */
export function credentialMark(credential: string): string {
  return createHash('sha256').update(credential).digest('hex').slice(0, MARK_CHARACTERS);
}
