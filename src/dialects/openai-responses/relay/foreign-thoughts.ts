/**
 * Thoughts of other vendors that this gateway returned as reasoning items, with its own tag before the opaque value. A caller that changes the
 * model mid-conversation sends them to the provider, which refuses what it has not encrypted: so they are removed from a relayed request,
 * each with its comma.
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { isSpace, skipString } from '../../../wire/json-grammar.ts';
import type { Edit } from '../../../wire/json-splice.ts';
import { MarkSearch } from '../../../wire/mark-search.ts';
import { lastValue } from '../../kit/relay/last-value.ts';
import { TAG } from '../answer/thought-seal.ts';

/** Where an opaque value with the gateway's tag may begin. */
export const MARK = Buffer.from(`"${TAG}`);
/** No conversation has a tenth of this. */
export const MARKS_MAX = 16 * 1024;

/** The removals, in order of position. Nearly every body has none, which a single search shows. */
export function foreignThoughts({ bytes, fields, marks }: Pick<JsonDocument, 'bytes' | 'fields' | 'marks'>): Edit[] {
  const input = fields.get('input');
  if (input?.type !== 'array') return [];
  const found = marks ?? searched(bytes);
  if (found.length === 0) return [];
  const items = itemsOf(bytes, input);
  const removals: Edit[] = [];
  let at = 0;
  let isFirst = true;
  for (const [index, item] of items.entries()) {
    while (at < found.length && (found[at] as number) < item.start) at += 1;
    const isMarked = at < found.length && (found[at] as number) < item.end;
    if (!isMarked || !isForeign(bytes, item)) isFirst = false;
    else removals.push({ ...placeOf(items, index, isFirst), insert: NOTHING });
  }
  return removals;
}

interface Item {
  readonly start: number;
  readonly end: number;
}

/** With the comma before it; of the first ones, with the comma after them. */
function placeOf(items: readonly Item[], index: number, isFirst: boolean): Item {
  const item = items[index] as Item;
  if (!isFirst) return { start: (items[index - 1] as Item).end, end: item.end };
  return { start: item.start, end: items[index + 1]?.start ?? item.end };
}

function isForeign(bytes: Buffer, { start, end }: Item): boolean {
  const type = lastValue(bytes, start, end, TYPE);
  const value = type === null ? null : lastValue(bytes, start, end, ENCRYPTED);
  if (type === null || value === null || !isAt(bytes, value.start, MARK)) return false;
  return bytes.toString('latin1', type.start, type.end) === '"reasoning"';
}

/** The elements of the array, which is known to be JSON. */
function itemsOf(bytes: Buffer, { valueStart, valueEnd }: JsonField): readonly Item[] {
  const items: Item[] = [];
  let at = skipSpace(bytes, valueStart + 1);
  while (at < valueEnd - 1) {
    const end = endOfValue(bytes, at, valueEnd - 1);
    items.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
  return items;
}

function endOfValue(bytes: Buffer, start: number, limit: number): number {
  let depth = 0;
  let at = start;
  while (at < limit) {
    const byte = bytes[at] as number;
    if (depth === 0 && at > start && (byte === COMMA || isSpace(byte))) return at;
    if (byte === QUOTE) at = skipString(bytes, at + 1);
    else {
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
      at += 1;
    }
  }
  return limit;
}

function searched(bytes: Buffer): readonly number[] {
  const search = new MarkSearch(MARK, MARKS_MAX);
  search.feed(bytes, bytes.length);
  return search.found;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at] as number)) at += 1;
  return at;
}

function isAt(bytes: Buffer, at: number, word: Buffer): boolean {
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word[index]) return false;
  return true;
}

const TYPE = Buffer.from('"type"');
const ENCRYPTED = Buffer.from('"encrypted_content"');
const NOTHING = Buffer.alloc(0);
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
