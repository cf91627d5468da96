/** Whether a caller repeats its own key where that would be kept: plain, or as JSON, URLs and Basic authentication write it. */
import type { IncomingHttpHeaders } from 'node:http';
import { SECRET_PREFIX } from '../../accounts/secret/key-secret.ts';
import { credentialTest } from '../../providers/credential-test.ts';

/** The test for the keys in `headers`; made only where it is needed, because it takes some microseconds. */
export function ownKeyTest(headers: IncomingHttpHeaders): (text: string) => boolean {
  const plain = headers['x-api-key'] ?? [];
  const test = credentialTest(
    [headers.authorization ?? '', ...(Array.isArray(plain) ? plain : [plain])].map(
      (value) => value.trim().split(/\s+/).at(-1)?.replace(SECRET_PREFIX, '') ?? '',
    ),
  );
  return (text) => test(text);
}

/** Of a key without its prefix; each form of it is as long, and without spaces. */
const KEY_LENGTH = 49;

/** Whether a text is long enough to hold a key in any form: so many characters in a row of which such forms are made. */
export function mayHoldKey(text: string): boolean {
  if (text.length < KEY_LENGTH) return false;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    length = IN_FORM[text.charCodeAt(at)] === 1 ? length + 1 : 0;
    if (length === KEY_LENGTH) return true;
  }
  return false;
}

const IN_FORM = new Uint8Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_%\\')
  IN_FORM[letter.charCodeAt(0)] = 1;
