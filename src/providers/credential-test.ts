/**
 * Providers repeat what they were sent: "Incorrect API key provided: …". This finds what a request was signed with in
 * what came back, plain or as JSON, URLs and Basic authentication write it. What is longer than `bytesMax` counts as repeating it.
 */
export interface CredentialTest {
  (said: string | Buffer, bytesMax?: number): boolean;
  /** What is shorter repeats it in no form, and need not be tested: bytes, or characters of a string. Infinite where there is nothing to repeat. */
  readonly lengthMin: number;
}

/** Shorter values are no credentials, and would be found by chance. */
const LENGTH_MIN = 6;
/** Where nothing else is said. No refusal that is passed on is as long. */
const READ_BYTES_MAX = 256 * 1024;
/** JSON in a text of JSON, in an address: so many times escapes are undone; what nests deeper counts as repeating it. */
const UNESCAPED_TIMES_MAX = 8;

/** `signatures`: values of every header that a provider's requests are signed with, whatever its name. */
export function credentialTest(signatures: readonly string[]): CredentialTest {
  const secrets = signatures.flatMap(secretsOf).flatMap(formsOf);
  // What is beyond ASCII is searched for as UTF-8, too, of which a character is a byte here.
  const forms = [...new Set(secrets.flatMap((form) => [form, Buffer.from(form).toString('latin1')]))];
  if (forms.length === 0) return Object.assign(() => false, { lengthMin: Number.POSITIVE_INFINITY });
  const shortest = Math.min(...forms.map((form) => form.length));
  const isIn = (text: string) => {
    for (const form of forms) if (text.includes(form)) return true;
    return false;
  };
  const hasQuotes = forms.some((form) => form.includes('"') || form.includes('?'));
  const test = (said: string | Buffer, bytesMax = READ_BYTES_MAX) => {
    // Nearly every id that a provider names ends here. Escapes only make longer what they stand for.
    if (said.length < shortest) return false;
    if (said.length > bytesMax) return true;
    // Several searches of a text are faster than of bytes.
    const text = typeof said === 'string' ? said : said.toString('latin1');
    if (isIn(text)) return true;
    if (!hasQuotes && !OTHER_ESCAPES.test(text)) return false;
    let plain = unescaped(typeof said === 'string' ? Buffer.from(said, 'latin1') : said);
    for (let times = 1; plain !== null; times += 1) {
      if (times > UNESCAPED_TIMES_MAX || isIn(plain.toString('latin1'))) return true;
      plain = unescaped(plain);
    }
    return false;
  };
  return Object.assign(test, { lengthMin: shortest });
}

/** What undoing can bring to light more than a quote or the end of a line, which nearly all escapes of an answer stand for. */
const OTHER_ESCAPES = /\\[^"n]|%/;

/** A header's value without its scheme; of `Basic`, what it stands for, too: https://www.rfc-editor.org/rfc/rfc7617 */
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
  // A secret may hold what reads as an escape: then it is also found after that was undone.
  for (let form = unescaped(Buffer.from(secret)); form !== null; form = unescaped(form)) forms.push(form.toString());
  return forms.filter(isLong);
}

/** What stays the same of its base64 whatever stands before and after it, as in `user:secret`, in both alphabets. */
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

/** One layer of escapes of JSON and of URLs undone, in one pass; null where there are none. */
function unescaped(bytes: Buffer): Buffer | null {
  if (!bytes.includes(BACKSLASH) && !bytes.includes(PERCENT)) return null;
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    const taken = byte === BACKSLASH ? escapeLength(bytes, at) : byte === PERCENT && isHex(bytes, at + 1, 2) ? 3 : 1;
    plain[length] = taken === 1 ? byte : meantBy(bytes, at, taken);
    length += 1;
    at += taken;
  }
  return length === bytes.length ? null : plain.subarray(0, length);
}

/** Of what begins with a backslash; 1 where that stands for itself. */
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

/** The character of an escape; in place of a control character or one beyond ASCII, which no credential has, any other. */
function meantBy(bytes: Buffer, at: number, taken: number): number {
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
