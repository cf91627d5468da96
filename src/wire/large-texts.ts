/**
 * Large strings of a JSON document, taken out before parsing and put back afterwards: a parser checks every character of an image and
 * copies it, which would delay other calls. The document has been scanned, so its quotes are known to be paired.
 */
import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { isPlain } from './plain-bytes.ts';

/** What is between the quotes of a string; the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds large strings of ASCII without escapes or spaces, as inline media are; not names of fields. The search ends once there is more
 * than `restMax` bytes besides them.
 */
export function findLargeTexts(bytes: Buffer, restMax = Number.POSITIVE_INFINITY): readonly Span[] {
  const found: Span[] = [];
  let large = 0;
  let start = -1;
  let at = bytes.indexOf(QUOTE);
  for (let quotes = 0; at !== -1; quotes += 1) {
    if (quotes >= QUOTES_MAX) return [];
    if ((start === -1 ? at : start) - large > restMax) break;
    if (start === -1) start = at + 1;
    else if (!isEscaped(bytes, start, at)) {
      if (at - start >= LARGE_BYTES && !isName(bytes, at + 1) && isWhole(bytes, start, at)) {
        found.push({ start, end: at });
        large += at - start;
      }
      start = -1;
    }
    at = bytes.indexOf(QUOTE, at + 1);
  }
  return found;
}

/** Numbers that are read separately, each from its original characters. */
export interface NumbersApart {
  /** In order of position. */
  readonly spans: readonly Span[];
  read(source: string): unknown;
}

/**
 * Parses the document like `JSON.parse`; `texts` are its large strings, in order of position. Throws `SyntaxError` as `JSON.parse` does.
 */
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

/** Changes the value in place: a reviver for `JSON.parse` would take several times as long per value. The document is not deep. */
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

/** The length from which a string is worth the effort; ordinary text and code has a line break sooner, which is an escape. */
const LARGE_BYTES = 16 * 1024;
/** How many quotes are checked, including escaped ones: a document with more than anybody sends with an image is parsed as usual. */
const QUOTES_MAX = 512 * 1024;
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

/** A colon may follow after white space; more than a little of that is taken for a name, which only costs its sender speed. */
function isName(bytes: Buffer, after: number): boolean {
  return !/^\s{0,8}[,}\]]/.test(bytes.toString('latin1', after, after + 9));
}

function isWhole(bytes: Buffer, start: number, end: number): boolean {
  const text = bytes.subarray(start, end);
  return !text.includes(SPACE) && isAscii(text) && isPlain(bytes, start, end);
}
