/** Finds keys, tokens and passwords by their known formats, by the names that people give them, and by their position. */

import { BEFORE_MAX, KEYS_BY_MARK, MARK } from './known-keys.ts';
import type { SecretSpan } from './secret-span.ts';
import { afterEscapes, beginsWord } from './word-begins.ts';

/** Like all of these, yields null for a candidate that is not a key, so that the caller can yield to the event loop. */
export function* findKnownKeys(text: string): Generator<SecretSpan | null> {
  let from = 0;
  let searchedTo = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    const found = index < from ? null : keyAt(text, from, mark, index);
    yield found;
    if (found === null) continue;
    from = found.end;
    if (!AWS_IDS.has(mark)) continue;
    yield* findAwsSecrets(text, Math.max(searchedTo, found.start - AWS_NEAR), from + AWS_NEAR);
    searchedTo = from + AWS_NEAR;
  }
}

/** The key with this mark at `index`; it begins at `from` at the earliest. Null if it is not a key. */
function keyAt(text: string, from: number, mark: string, index: number): SecretSpan | null {
  const known = KEYS_BY_MARK.get(mark);
  if (known === undefined || (known.before === null && !beginsWord(text, index, IN_WORD))) return null;
  const before =
    known.before === null ? '' : known.before.exec(afterEscapes(text, Math.max(from, index - BEFORE_MAX), index))?.[0];
  const rest = before === undefined ? null : matchAt(known.rest, text, index + mark.length);
  if (before === undefined || rest === null) return null;
  const length = known.lengthOf === null ? rest[0].length : known.lengthOf(rest[0]);
  return length === 0 ? null : { start: index - before.length, end: index + mark.length + length, kind: 'key' };
}

const IN_WORD = /[\w-]/;

/** `pattern` is sticky. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** An AWS secret key has no format but its length: it is searched near the key id. https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html */
const AWS_IDS: ReadonlySet<string> = new Set(['AKIA', 'ASIA', 'ABIA', 'ACCA']);
const AWS_NEAR = 300;
const AWS_SECRET = /(?:(?<![\w+/])|(?<=\\[nrt]))(?:[0-9A-Za-z+/]|\\\/){40}(?![\w+/=])/g;

function* findAwsSecrets(text: string, from: number, to: number): Generator<SecretSpan | null> {
  for (const { 0: found, index } of text.slice(from, to).matchAll(AWS_SECRET)) {
    if (!/[A-Z]/.test(found) || !/[a-z]/.test(found) || !/\d/.test(found)) continue;
    yield { start: from + index, end: from + index + found.length, kind: 'key' };
  }
}

/** Names of secrets that have no format of their own: `aws_secret_access_key`, `AccountKey`, `client_secret`, `api-key`. */
const NAME =
  /secret[ _-]?(?:access[ _-]?)?key|client[ _-]?secret|api[ _-]?key|(?:access|auth|session|refresh|security)[ _-]?token|account[ _-]?key|shared[ _-]?access[ _-]?(?:key|signature)/gi;
const NAMED =
  /[\s"'\\]{0,8}(?:[:=]>?|%3[ad]|\\u003[ad])[\s"'\\]{0,8}((?:[\w.~+/=-]|\\\/|%2[bf]|%3d|\\u002[bf]|\\u003d){16,2000})/iy;

/** Must contain a digit and a letter: words and numbers are not keys. */
export function* findNamedKeys(text: string): Generator<SecretSpan | null> {
  let from = 0;
  for (const { 0: name, index } of text.matchAll(NAME)) {
    const match = index < from ? null : matchAt(NAMED, text, index + name.length);
    if (match !== null) from = index + name.length + match[0].length;
    const value = match?.[1] ?? '';
    const isKey = /\d/.test(value) && /[a-z]/i.test(value);
    yield isKey ? { start: from - value.length, end: from, kind: 'key' } : null;
  }
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1, https://www.rfc-editor.org/rfc/rfc7617 */
const SCHEME = /bearer|basic/gi;
const TOKEN = /(?:\s|\+|%20|\\u0020|\\[nt]){1,4}((?:[\w.~+/-]|\\\/|%2[bf]|\\u002[bf]){8,4000}(?:=|%3d|\\u003d){0,2})/iy;
const BEARER_LENGTH_MIN = 16;

export function* findAuthorizations(text: string): Generator<SecretSpan | null> {
  let from = 0;
  for (const { 0: scheme, index } of text.matchAll(SCHEME)) {
    const match = index < from ? null : matchAt(TOKEN, text, index + scheme.length);
    const token = match?.[1] ?? '';
    const isKey = scheme.toLowerCase() === 'basic' ? isPair(token) : token.length >= BEARER_LENGTH_MIN;
    if (match !== null) from = index + scheme.length + match[0].length;
    yield match !== null && isKey ? { start: from - token.length, end: from, kind: 'key' } : null;
  }
}

/** Whether it is `name:password` in base64; "basic understanding" is not. */
function isPair(token: string): boolean {
  const plain = token.replace(/\\u00(2b|2f|3d)|%(2b|2f|3d)|\\(?=\/)/gi, (_, inJson?: string, inUrl?: string) => {
    const code = inJson ?? inUrl;
    return code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16));
  });
  const pair = Buffer.from(plain, 'base64').toString('latin1');
  return pair.includes(':') && /^[\x20-\x7e]*$/.test(pair);
}

/** A password in an address: `postgres://name:password@host`. */
const AUTHORITY = /:(?:\\?\/){2}/g;
const USER_AND_PASSWORD = /[^\s"'\\/@?#]{4,300}/y;
const PASSWORD_LENGTH_MIN = 3;

export function* findPasswords(text: string): Generator<SecretSpan | null> {
  for (const { 0: authority, index } of text.matchAll(AUTHORITY)) {
    const start = index + authority.length;
    const [pair = ''] = matchAt(USER_AND_PASSWORD, text, start) ?? [];
    const colon = pair.indexOf(':');
    const isPassword = colon !== -1 && pair.length - colon > PASSWORD_LENGTH_MIN && text[start + pair.length] === '@';
    yield isPassword ? { start: start + colon + 1, end: start + pair.length, kind: 'key' } : null;
  }
}

/** https://www.rfc-editor.org/rfc/rfc7468#section-10, https://www.rfc-editor.org/rfc/rfc9580#name-forming-ascii-armor; PuTTY's format. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/g;
const PRIVATE_KEY_END = /-----END |Private-MAC/g;
const PRIVATE_KEY_LENGTH_MAX = 100_000;

export function* findPrivateKeys(text: string): Generator<SecretSpan | null> {
  let from = 0;
  for (const { index: start } of text.matchAll(PRIVATE_KEY)) {
    if (start < from) continue;
    PRIVATE_KEY_END.lastIndex = start;
    const end = PRIVATE_KEY_END.exec(text)?.index ?? text.length;
    from = Math.min(end, start + PRIVATE_KEY_LENGTH_MAX, text.length);
    yield { start, end: from, kind: 'key' };
  }
}

/** If it does not match, none of the above finds anything: each of them begins with a match of one of these. */
export const HINT = new RegExp(
  [MARK, NAME, SCHEME, AUTHORITY, PRIVATE_KEY].map((pattern) => `(?:${pattern.source})`).join('|'),
  'i',
);
