/** Whether a text to be stored repeats the caller's own key: plain, or as encoded in JSON, URLs and Basic authentication. */
import type { IncomingHttpHeaders } from 'node:http';
import { SECRET_PREFIX } from '../../accounts/secret/key-secret.ts';
import { credentialTest } from '../../providers/credential-test.ts';

/** The test for the keys in `headers`; to be created only if needed, because that takes some microseconds. */
export function ownKeyTest(headers: IncomingHttpHeaders): (text: string) => boolean {
  const plain = headers['x-api-key'] ?? [];
  const test = credentialTest(
    [headers.authorization ?? '', ...(Array.isArray(plain) ? plain : [plain])].map(
      (value) => value.trim().split(/\s+/).at(-1)?.replace(SECRET_PREFIX, '') ?? '',
    ),
  );
  return (text) => test(text);
}

/** The length of a key without its prefix; every form of it is at least as long, and has no spaces. */
const KEY_LENGTH = 49;

/** Whether a text may contain a key in any form: enough consecutive characters of those that such forms consist of. */
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
