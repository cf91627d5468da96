/**
 * Finds what a person would not want kept, in text that may be JSON as it stands on the wire: e-mail addresses, card
 * numbers, keys and tokens. Every pattern is bounded, so that no text takes long, whoever wrote it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Breaks } from './breaks.ts';

export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly kind: 'e-mail address' | 'card number' | 'key';
}

/** What an expression costs for each character, and each `@` that is looked at, in tenths of a microsecond. */
const CHARACTER_WORK = 0.1;
const EMAIL_WORK = 10;

/** In no order; they may overlap. */
export async function findSecrets(text: string, breaks: Breaks): Promise<Span[]> {
  const spans: Span[] = [];
  for (const find of [findKeys, findCards]) {
    for (const span of find(text)) spans.push(span);
    if (breaks.isDue(text.length * CHARACTER_WORK)) await nextTurn();
  }
  for (const span of findEmails(text)) {
    if (span !== null) spans.push(span);
    if (breaks.isDue(EMAIL_WORK)) await nextTurn();
  }
  return spans;
}

/**
 * Not within a word, but right behind an escape of JSON: the `n` of `\n` is none of the word that follows. Without that
 * a key at the beginning of a line would not be seen.
 */
const BEGINS = String.raw`(?:(?<![\w-])|(?<=\\[nrtbf]))`;

/** Keys of ours and of those whose keys people paste: what makes each known is its beginning. */
const KEYS = [
  // https://platform.openai.com/docs/api-reference/authentication, and Anthropic, OpenRouter, DeepSeek and we ourselves
  String.raw`sk-[\w-]{16,400}`,
  // https://docs.cloud.google.com/docs/authentication/api-keys
  String.raw`AIza[\w-]{30,60}`,
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  String.raw`A[KS]IA[0-9A-Z]{16}\b`,
  // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
  String.raw`gh[pousr]_\w{30,300}`,
  String.raw`github_pat_\w{30,300}`,
  String.raw`glpat-[\w-]{16,100}`,
  // https://api.slack.com/authentication/token-types
  String.raw`xox[abeprs]-[\w-]{10,300}`,
  // https://docs.stripe.com/keys
  String.raw`[prs]k_(?:live|test)_\w{16,300}`,
  // Groq, xAI, Hugging Face, Perplexity, Replicate
  String.raw`(?:gsk_|xai-|hf_|pplx-|r8_)\w{24,200}`,
  // https://www.rfc-editor.org/rfc/rfc7519
  String.raw`eyJ[\w-]{10,4000}\.[\w-]{10,8000}\.[\w-]{10,2000}`,
];
const KEY = new RegExp(`${BEGINS}(?:${KEYS.join('|')})`, 'g');
/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const BEARER = /bearer\s{1,4}([\w.~+/-]{16,4000}={0,2})/gi;
/** https://www.rfc-editor.org/rfc/rfc7468#section-10 */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/g;
const PRIVATE_KEY_END = '-----END ';
const PRIVATE_KEY_LENGTH_MAX = 10_000;

function findKeys(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(KEY)) spans.push(spanOf(match.index, match[0].length, 'key'));
  for (const match of text.matchAll(BEARER)) {
    const token = match[1] ?? '';
    spans.push(spanOf(match.index + match[0].length - token.length, token.length, 'key'));
  }
  let seen = 0;
  for (const { index: start } of text.matchAll(PRIVATE_KEY)) {
    if (start < seen) continue;
    const most = text.slice(start, start + PRIVATE_KEY_LENGTH_MAX);
    const length = most.indexOf(PRIVATE_KEY_END);
    const span = spanOf(start, length === -1 ? most.length : length, 'key');
    spans.push(span);
    seen = span.end;
  }
  return spans;
}

/** 13 to 19 digits, as cards have them, perhaps in groups: https://www.iso.org/standard/70484.html */
const CARD = /(?:(?<![\w.])|(?<=\\[nrtbf]))[2-6](?:[ -]?\d){12,18}(?!\w)/g;

function findCards(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(CARD))
    if (passesLuhn(match[0])) spans.push(spanOf(match.index, match[0].length, 'card number'));
  return spans;
}

function passesLuhn(text: string): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let index = text.length - 1; index >= 0; index -= 1) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) continue;
    const value = isDoubled ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}

const LOCAL_CHARACTERS_MAX = 64;
const DOMAIN_CHARACTERS_MAX = 253;
const LOCAL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u;
const DOMAIN = /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?/u;

/** From each `@` to both sides: a pattern that began at the left would look at every word twice. Null for an `@` of none. */
function* findEmails(text: string): Generator<Span | null> {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = startOfLocal(text, at);
    const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + DOMAIN_CHARACTERS_MAX))?.[0] ?? '';
    const isEmail = start < at && /\.\p{L}/u.test(domain);
    yield isEmail ? { start, end: at + 1 + domain.length, kind: 'e-mail address' } : null;
  }
}

function startOfLocal(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LOCAL_CHARACTERS_MAX && LOCAL.test(text[start - 1] as string)) start -= 1;
  // What stands behind a backslash belongs to an escape of JSON.
  if (text[start - 1] === '\\') start += text[start] === 'u' ? 5 : 1;
  return Math.min(start, at);
}

function spanOf(start: number, length: number, kind: Span['kind']): Span {
  return { start, end: start + length, kind };
}
