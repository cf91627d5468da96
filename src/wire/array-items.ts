/** The elements of an array, where they are in the body, and removing some of them. */
import { isSpace, skipString } from './json-grammar.ts';
import type { Edit } from './json-splice.ts';

export interface ArrayItem {
  readonly start: number;
  readonly end: number;
}

/** `valueStart` and `valueEnd` enclose an array that is known to be JSON. */
export function itemsOf(
  bytes: Buffer,
  { valueStart, valueEnd }: { readonly valueStart: number; readonly valueEnd: number },
): readonly ArrayItem[] {
  const items: ArrayItem[] = [];
  for (let start = nextItem(bytes, valueStart + 1); start < valueEnd - 1; ) {
    const end = endOfValue(bytes, start, valueEnd - 1);
    items.push({ start, end });
    start = nextItem(bytes, end);
  }
  return items;
}

/** How many there are. */
export function countItems(
  bytes: Buffer,
  { valueStart, valueEnd }: { readonly valueStart: number; readonly valueEnd: number },
): number {
  let items = 0;
  for (let start = nextItem(bytes, valueStart + 1); start < valueEnd - 1; items += 1)
    start = nextItem(bytes, endOfValue(bytes, start, valueEnd - 1));
  return items;
}

/** Where the next element starts, or the array ends; `from`: after the bracket, or after an element. */
export function nextItem(bytes: Buffer, from: number): number {
  const at = skipSpace(bytes, from);
  return bytes[at] === COMMA ? skipSpace(bytes, at + 1) : at;
}

/** Removes those of one array's `items` for which `isRemoved` is true, each with its comma; sorted. */
export function removeItems<Item extends ArrayItem>(
  items: readonly Item[],
  isRemoved: (item: Item) => boolean,
): Edit[] {
  const removals: Edit[] = [];
  let isFirst = true;
  for (const [index, item] of items.entries()) {
    if (!isRemoved(item)) isFirst = false;
    else removals.push({ ...placeOf(items, index, isFirst), insert: NOTHING });
  }
  return removals;
}

/** With the comma before it; of the first ones, with the comma after them. */
function placeOf(items: readonly ArrayItem[], index: number, isFirst: boolean): ArrayItem {
  const item = items[index] as ArrayItem;
  if (!isFirst) return { start: (items[index - 1] as ArrayItem).end, end: item.end };
  return { start: item.start, end: items[index + 1]?.start ?? item.end };
}

/** The byte after the element that starts at `start`; `limit` is where the array ends. */
export function endOfValue(bytes: Buffer, start: number, limit: number): number {
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

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at] as number)) at += 1;
  return at;
}

const NOTHING = Buffer.alloc(0);
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
