/**
 * Providers repeat what they were sent: "Incorrect API key provided: …". This finds the credential of a request in an answer,
 * plain or as encoded in JSON, URLs and Basic authentication. Text longer than `bytesMax` counts as repeating it.
 */
export interface CredentialTest {
  (text: string | Buffer, bytesMax?: number): boolean;
  /**
   * Shorter text cannot repeat it in any form and need not be tested: bytes, or characters of a string. Infinite if there is
   * nothing to repeat.
   */
  readonly lengthMin: number;
}

/** Shorter values are not credentials, and would be found by chance. */
const LENGTH_MIN = 6;
/** The default limit. No refusal that is passed on is as long. */
const READ_BYTES_MAX = 256 * 1024;
/** How many layers of escapes are decoded, as of JSON within JSON within a URL; text nested deeper counts as repeating it. */
const UNESCAPED_TIMES_MAX = 8;

/** `signatures`: the values of all headers that sign a provider's requests, whatever their names. */
export function credentialTest(signatures: readonly string[]): CredentialTest {
  const secrets = signatures.flatMap(secretsOf).flatMap(formsOf);
  // Non-ASCII text is also searched for as UTF-8, with one character per byte.
  const forms = [...new Set(secrets.flatMap((form) => [form, Buffer.from(form).toString('latin1')]))];
  if (forms.length === 0) return Object.assign(() => false, { lengthMin: Number.POSITIVE_INFINITY });
  const shortest = Math.min(...forms.map((form) => form.length));
  const isIn = (text: string) => {
    for (const form of forms) if (text.includes(form)) return true;
    return false;
  };
  const hasQuotes = forms.some((form) => form.includes('"') || form.includes('?'));
  const test = (content: string | Buffer, bytesMax = READ_BYTES_MAX) => {
    // Nearly every id ends here. Escapes only make text longer.
    if (content.length < shortest) return false;
    if (content.length > bytesMax) return true;
    // Several searches are faster in a string than in bytes.
    const text = typeof content === 'string' ? content : content.toString('latin1');
    if (isIn(text)) return true;
    if (!hasQuotes && !OTHER_ESCAPES.test(text)) return false;
    let plain = unescapeOnce(typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
    for (let times = 1; plain !== null; times += 1) {
      if (times > UNESCAPED_TIMES_MAX || isIn(plain.toString('latin1'))) return true;
      plain = unescapeOnce(plain);
    }
    return false;
  };
  return Object.assign(test, { lengthMin: shortest });
}

/**
 * Escapes other than of quotes and line breaks. Those are nearly all escapes in an answer, and matter only to a credential
 * with a quote.
 */
const OTHER_ESCAPES = /\\[^"n]|%/;

/** A header's value without its scheme; for `Basic`, also the decoded pair: https://www.rfc-editor.org/rfc/rfc7617 */
function secretsOf(value: string): readonly string[] {
  const [first = '', ...rest] = value.split(/\s/).filter((word) => word !== '');
  const words = rest.length === 0 ? [first] : rest;
  if (first.toLowerCase() !== 'basic') return words.filter(isLong);
  const pairs = words.map((word) => Buffer.from(word, 'base64').toString('latin1'));
  return [...words, ...pairs, ...pairs.map((pair) => pair.slice(pair.indexOf(':') + 1))].filter(isLong);
}

function isLong(value: string): boolean {
  return value.length >= LENGTH_MIN;
}

function formsOf(secret: string): readonly string[] {
  const forms = [secret, ...base64FormsOf(secret)];
  // A secret may itself contain an escape sequence: then it is also searched for in its decoded form.
  for (let form = unescapeOnce(Buffer.from(secret)); form !== null; form = unescapeOnce(form))
    forms.push(form.toString());
  return forms.filter(isLong);
}

/** The part of its base64 that is the same whatever precedes and follows it, as in `user:secret`, in both alphabets. */
function base64FormsOf(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const from = Math.ceil((before * 4) / 3);
    const to = Math.floor(bytes.length / 3) * 4;
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
  });
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const QUESTION_MARK = 0x3f;
const CONTROLS = Buffer.from('bfnrt');

/** Decodes one layer of JSON and URL escapes, in one pass; null if there are none. */
function unescapeOnce(bytes: Buffer): Buffer | null {
  if (!bytes.includes(BACKSLASH) && !bytes.includes(PERCENT)) return null;
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    const taken = byte === BACKSLASH ? escapeLength(bytes, at) : byte === PERCENT && isHex(bytes, at + 1, 2) ? 3 : 1;
    plain[length] = taken === 1 ? byte : decodeEscape(bytes, at, taken);
    length += 1;
    at += taken;
  }
  return length === bytes.length ? null : plain.subarray(0, length);
}

/** The length of an escape that begins with a backslash; 1 if the backslash is literal. */
function escapeLength(bytes: Buffer, at: number): number {
  switch (bytes[at + 1]) {
    case 0x75: // \u
      return isHex(bytes, at + 2, 4) ? 6 : 1;
    case 0x78: // \x, as several languages write it
      return isHex(bytes, at + 2, 2) ? 4 : 1;
    case undefined:
      return 1;
    default:
      return 2;
  }
}

/** The character of an escape. Control and non-ASCII characters, which no credential has, become a question mark. */
function decodeEscape(bytes: Buffer, at: number, taken: number): number {
  const escaped = bytes[at + 1] as number;
  if (taken === 2) return CONTROLS.includes(escaped) ? QUESTION_MARK : escaped;
  const digits = taken === 3 ? at + 1 : at + 2;
  const code = Number.parseInt(bytes.toString('latin1', digits, at + taken), 16);
  return code < 0x80 ? code : QUESTION_MARK;
}

function isHex(bytes: Buffer, from: number, count: number): boolean {
  if (from + count > bytes.length) return false;
  for (let at = from; at < from + count; at += 1) {
    const byte = bytes[at] as number;
    const letter = byte | 0x20;
    if (!((byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66))) return false;
  }
  return true;
}
