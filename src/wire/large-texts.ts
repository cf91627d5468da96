/**
 * Large strings of a JSON document, taken out before it is parsed and put back after: a parser looks at every
 * character of an image and copies it, which takes longer than others should wait. The document has been scanned, so
 * that its quotes are known to come in pairs.
 */
import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { isPlain } from './plain-bytes.ts';

/** What lies between the quotes of a string; the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Large strings that are ASCII and hold neither an escape nor a space, which is what inline media are; names of fields are none. */
export function findLargeTexts(bytes: Buffer): readonly Span[] {
  const found: Span[] = [];
  let start = -1;
  let at = bytes.indexOf(QUOTE);
  for (let quotes = 0; at !== -1; quotes += 1) {
    if (quotes >= QUOTES_MAX) return [];
    if (start === -1) start = at + 1;
    else if (!isEscaped(bytes, start, at)) {
      if (at - start >= LARGE_BYTES && !isName(bytes, at + 1) && isWhole(bytes, start, at))
        found.push({ start, end: at });
      start = -1;
    }
    at = bytes.indexOf(QUOTE, at + 1);
  }
  return found;
}

/** Numbers that are read by themselves, each from the characters it was written with. */
export interface NumbersApart {
  /** In order of place. */
  readonly spans: readonly Span[];
  read(source: string): unknown;
}

/** What `JSON.parse` makes of the document, of which `texts` are large strings, in order of place. Throws `SyntaxError` as it does. */
export function parseAround(bytes: Buffer, texts: readonly Span[], numbers: NumbersApart | null = null): unknown {
  const rest: string[] = [];
  const apart: unknown[] = [];
  let at = 0;
  let nextNumber = 0;
  const numberSpans = numbers?.spans ?? [];
  const takeNumbers = (end: number) => {
    for (; nextNumber < numberSpans.length && (numberSpans[nextNumber] as Span).start < end; nextNumber += 1) {
      const span = numberSpans[nextNumber] as Span;
      rest.push(bytes.toString('utf8', at, span.start), `"${MARK}${apart.length}"`);
      apart.push(numbers?.read(bytes.toString('latin1', span.start, span.end)));
      at = span.end;
    }
  };
  for (const { start, end } of texts) {
    takeNumbers(start);
    rest.push(bytes.toString('utf8', at, start), `${MARK}${apart.length}`);
    apart.push(bytes.toString('latin1', start, end));
    at = end;
  }
  takeNumbers(bytes.length);
  rest.push(bytes.toString('utf8', at));
  const value: unknown = JSON.parse(rest.join(''));
  const apartFrom = (mark: string) => apart[Number(mark.slice(MARK.length))];
  if (isMark(value)) return apartFrom(value);
  putBack(value, apartFrom);
  return value;
}

/** In place: a function given to `JSON.parse` would take several times as long for each value. The document is not deep. */
function putBack(value: unknown, apartFrom: (mark: string) => unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      if (isMark(item)) value[index] = apartFrom(item);
      else putBack(item, apartFrom);
    }
    return;
  }
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) {
    const item = object[name];
    if (isMark(item)) object[name] = apartFrom(item);
    else putBack(item, apartFrom);
  }
}

function isMark(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** From this length on a string is worth the care; text of people and programs has a line break sooner, which is an escape. */
const LARGE_BYTES = 16 * 1024;
/** Quotes that are looked at, escaped ones too: a document of more than anybody writes beside an image is parsed as it is. */
const QUOTES_MAX = 1024 * 1024;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** No caller can know it. */
const MARK = `turnpike-${randomBytes(16).toString('hex')}-`;

/** An odd number of backslashes before it. */
function isEscaped(bytes: Buffer, start: number, quote: number): boolean {
  let before = quote;
  while (before > start && bytes[before - 1] === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 1;
}

/** A colon may follow behind white space; whoever writes more than a little of that has none to gain here. */
function isName(bytes: Buffer, behind: number): boolean {
  return !/^\s{0,8}[,}\]]/.test(bytes.toString('latin1', behind, behind + 9));
}

function isWhole(bytes: Buffer, start: number, end: number): boolean {
  const text = bytes.subarray(start, end);
  return !text.includes(SPACE) && isAscii(text) && isPlain(bytes, start, end);
}
