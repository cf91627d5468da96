/**
 * Finds what should not be stored, in text that may be JSON as sent on the wire: email addresses, card
 * numbers, keys and tokens. Every pattern is bounded, so that no text takes long.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Breaks } from './breaks.ts';
import { findAuthorizations, findKnownKeys, findNamedKeys, findPasswords, findPrivateKeys } from './find-keys.ts';
import type { SecretSpan } from './secret-span.ts';
import { beginsWord } from './word-begins.ts';

/** The cost of a pattern per character, and of examining a candidate, in tenths of a microsecond. */
const CHARACTER_WORK = 0.1;
const CANDIDATE_WORK = 15;

const PASSES: readonly ((text: string) => Iterable<SecretSpan | null>)[] = [
  findKnownKeys,
  findNamedKeys,
  findAuthorizations,
  findPasswords,
  findPrivateKeys,
  findCards,
  findEmails,
];

/** In no order; they may overlap. */
export async function findSecrets(text: string, breaks: Breaks): Promise<SecretSpan[]> {
  const spans: SecretSpan[] = [];
  for (const find of PASSES) {
    for (const span of find(text)) {
      if (span !== null) spans.push(span);
      if (breaks.isDue(CANDIDATE_WORK)) await nextTurn();
    }
    if (breaks.isDue(text.length * CHARACTER_WORK)) await nextTurn();
  }
  return spans;
}

/** 13 to 19 digits, as cards have them, perhaps in groups: https://www.iso.org/standard/70484.html */
const CARD = /[2-6](?:[ -]?\d){12,18}(?!\w)/g;
const IN_NUMBER = /[\w.]/;

function* findCards(text: string): Generator<SecretSpan | null> {
  for (let from = 0; ; ) {
    // Set `lastIndex` each time: other searches may have used the pattern while this one paused.
    CARD.lastIndex = from;
    const match = CARD.exec(text);
    if (match === null) return;
    const { 0: digits, index: start } = match;
    const isCard = beginsWord(text, start, IN_NUMBER) && passesLuhn(digits);
    from = isCard ? start + digits.length : start + 1;
    yield isCard ? { start, end: from, kind: 'card number' } : null;
  }
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

/** Literal, and as escaped in URLs and JSON. */
const AT_SIGN = /@|%40|\\u0040/g;

/** Searches from each `@` to both sides: a pattern that starts at the left would scan every word twice. Yields null for an `@` that is not part of an address. */
function* findEmails(text: string): Generator<SecretSpan | null> {
  for (const { 0: sign, index: at } of text.matchAll(AT_SIGN)) {
    const after = at + sign.length;
    const start = startOfLocal(text, at);
    const domain = DOMAIN.exec(text.slice(after, after + DOMAIN_CHARACTERS_MAX))?.[0] ?? '';
    const isEmail = start < at && /\.\p{L}/u.test(domain);
    yield isEmail ? { start, end: after + domain.length, kind: 'e-mail address' } : null;
  }
}

function startOfLocal(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LOCAL_CHARACTERS_MAX && LOCAL.test(text[start - 1] as string)) start -= 1;
  // The characters after a backslash belong to a JSON escape.
  if (text[start - 1] === '\\') start += text[start] === 'u' ? 5 : 1;
  return Math.min(start, at);
}
