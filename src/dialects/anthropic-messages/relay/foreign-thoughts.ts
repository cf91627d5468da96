/**
 * Thoughts of other vendors that this gateway returned as thinking blocks with its own tag as the signature. A caller that changes the
 * model mid-conversation sends them to Anthropic, which refuses what it has not signed: so they are removed from a relayed request, each
 * with its comma.
 *
 * The body is known to be JSON, so a quote after a colon opens a string, and what surrounds it can be read from there in both directions.
 * No byte is read more than twice, and at most `PLACES_MAX` of them are checked.
 */

import type { JsonDocument, Mark } from '../../../wire/json-document.ts';
import { isSpace, skipString } from '../../../wire/json-grammar.ts';
import type { Edit } from '../../../wire/json-splice.ts';
import { placesOf } from '../../../wire/mark-search.ts';
import { TAG } from '../answer/reasoning-tag.ts';

/** The removals, in order of position. Nearly every body has none, which a single search shows. */
export function foreignThoughts(document: Pick<JsonDocument, 'bytes' | 'marks'>): Edit[] {
  const { bytes } = document;
  const places: Place[] = [];
  // Everything before it was read for an earlier mark.
  let floor = 0;
  let next = 0;
  for (const at of placesOf(MARK, document)) {
    if (at < next) continue;
    next = at + MARK.text.length;
    const name = signatureNameBefore(bytes, at);
    if (name > floor) {
      const start = objectStart(bytes, name, floor);
      floor = at;
      if (start !== -1) {
        const { end, isThought } = readFlatObject(bytes, start);
        if (isThought && isElement(bytes, start)) addTo(places, { start, end }, bytes);
        next = Math.max(next, end);
        floor = next;
      }
    }
  }
  return places.map((place) => withComma(bytes, place));
}

/** Whether the field whose name begins at `name` is one of a thought. `bytes` may be the end of a body. */
export function isInThought(bytes: Buffer, name: number): boolean {
  return thoughtAround(bytes, name) !== null;
}

/** The thought that has the string which begins at `at` as a name or a value of its own; null if that is not in one. `bytes` as above. */
export function thoughtAround(bytes: Buffer, at: number): Buffer | null {
  // Not from 0: no search goes back from there.
  const start = objectStart(bytes, at, 1);
  if (start === -1) return null;
  const { end, isThought } = readFlatObject(bytes, start);
  return isThought ? bytes.subarray(start, end) : null;
}

/** Where a signature with the gateway's tag may begin. */
/** No conversation has a tenth of this. Any further ones are left for the provider to refuse. */
const PLACES_MAX = 16 * 1024;
export const MARK: Mark = { text: Buffer.from(`"${TAG}`), max: PLACES_MAX };
/** The gateway writes three; an object with more strings than this, names included, is not one of its thoughts. */
const STRINGS_MAX = 32;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

const SIGNATURE_NAMES: readonly Buffer[] = [Buffer.from('"signature"'), Buffer.from('"data"')];
const TYPE_NAME = Buffer.from('"type"');
const THOUGHT_TYPES: readonly Buffer[] = [Buffer.from('"thinking"'), Buffer.from('"redacted_thinking"')];

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Where the name begins whose value is the string at `at`, if it is a signature's name; otherwise -1. */
function signatureNameBefore(bytes: Buffer, at: number): number {
  const colon = skipSpace(bytes, at - 1, -1);
  if (bytes[colon] !== COLON) return -1;
  const end = skipSpace(bytes, colon - 1, -1) + 1;
  for (const name of SIGNATURE_NAMES) {
    const start = end - name.length;
    // Before a quote that opens a string there is never a backslash.
    if (start > 0 && bytes[start - 1] !== BACKSLASH && isAt(bytes, start, name)) return start;
  }
  return -1;
}

/** The brace that opens the object whose field begins at `name`; -1 if another object or array comes first, or `floor`. */
function objectStart(bytes: Buffer, name: number, floor: number): number {
  let strings = 0;
  for (let at = name - 1; at >= floor && strings < STRINGS_MAX; at -= 1) {
    const byte = bytes[at] as number;
    if (byte === OPENING_BRACE) return at;
    if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET || byte === OPENING_BRACKET) return -1;
    if (byte === QUOTE) {
      at = stringStart(bytes, at);
      strings += 1;
    }
  }
  return -1;
}

/** The quote that opens the string which ends with the one at `end`: the nearest unescaped one before it. */
function stringStart(bytes: Buffer, end: number): number {
  for (let quote = end; ; ) {
    quote = bytes.lastIndexOf(QUOTE, quote - 1);
    let backslashes = 0;
    while (bytes[quote - backslashes - 1] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
}

/** Reads an object without nested values; `end` is where reading stopped: after its brace if it is a thought. */
function readFlatObject(bytes: Buffer, start: number): { readonly end: number; readonly isThought: boolean } {
  let isThought = false;
  let at = start + 1;
  for (let strings = 0; strings < 2 * STRINGS_MAX; ) {
    const byte = bytes[at];
    if (byte === CLOSING_BRACE) return { end: at + 1, isThought };
    if (byte === undefined || byte === OPENING_BRACE || byte === OPENING_BRACKET) break;
    if (byte === QUOTE) {
      if (isAt(bytes, at, TYPE_NAME)) isThought = isThoughtType(bytes, at + TYPE_NAME.length) ?? isThought;
      at = skipString(bytes, at + 1);
      strings += 1;
    } else at += 1;
  }
  return { end: at, isThought: false };
}

/** Whether the value after the name that ends at `nameEnd` is a thought's type; null if that was not a name. */
function isThoughtType(bytes: Buffer, nameEnd: number): boolean | null {
  const colon = skipSpace(bytes, nameEnd, 1);
  if (bytes[colon] !== COLON) return null;
  const value = skipSpace(bytes, colon + 1, 1);
  return THOUGHT_TYPES.some((type) => isAt(bytes, value, type));
}

/** Whether it is in an array, as a block is; the value of a field cannot be removed. */
function isElement(bytes: Buffer, start: number): boolean {
  return bytes[skipSpace(bytes, start - 1, -1)] !== COLON;
}

/** Adjacent blocks become one removal: separately, they would remove the same comma. */
function addTo(places: Place[], block: Place, bytes: Buffer): void {
  const last = places.at(-1);
  if (last === undefined || !isCommaBetween(bytes, last.end, block.start)) places.push(block);
  else places[places.length - 1] = { start: last.start, end: block.end };
}

function isCommaBetween(bytes: Buffer, start: number, end: number): boolean {
  const comma = skipSpace(bytes, start, 1);
  return bytes[comma] === COMMA && skipSpace(bytes, comma + 1, 1) === end;
}

/** Removes one comma as well: the one after the block, or before a last block. */
function withComma(bytes: Buffer, { start, end }: Place): Edit {
  const after = skipSpace(bytes, end, 1);
  if (bytes[after] === COMMA) return { start, end: after + 1, insert: NOTHING };
  const before = skipSpace(bytes, start - 1, -1);
  return { start: bytes[before] === COMMA ? before : start, end, insert: NOTHING };
}

function skipSpace(bytes: Buffer, from: number, step: 1 | -1): number {
  let at = from;
  while (isSpace(bytes[at] as number)) at += step;
  return at;
}

function isAt(bytes: Buffer, at: number, word: Buffer): boolean {
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word[index]) return false;
  return true;
}

const NOTHING = Buffer.alloc(0);
