/**
 * A whole answer, read once: the meter of a call parses it, and its patcher, which gets the very same
 * bytes right after, takes what the meter found out instead of walking through them again. Fails
 * safe: where nothing is kept, or the bytes are others, the patcher walks.
 */
import { isAscii } from 'node:buffer';
import { findLargeTexts, parseAround } from '../../../wire/large-texts.ts';

/** The answer as an object; null where the bytes are anything else. Kept for one `takeAnswer`. */
export function readAnswer(body: Buffer): AnswerObject | null {
  const small = body.length <= KEPT_BYTES_MAX;
  // Text of one byte a character serves the patcher, too; it must not stand for what is written in more.
  const ascii = small && isAscii(body);
  const text = body.length <= LARGE_BYTES ? body.toString(ascii ? 'latin1' : 'utf8') : null;
  const object = parseObject(body, text);
  lastBody = object === null ? null : body;
  lastObject = object;
  keptBody = small && object !== null ? body : null;
  keptObject = keptBody === null ? null : object;
  keptText = keptBody !== null && ascii ? text : null;
  return object;
}

/** What `readAnswer` found in this very buffer when it was the last one read; else null. It is given out once. */
export function takeAnswer(body: Buffer): TakenAnswer | null {
  if (keptBody !== body || keptObject === null) return null;
  const taken = { object: keptObject, text: keptText ?? body.toString('latin1') };
  keptBody = null;
  keptObject = null;
  keptText = null;
  return taken;
}

/** The object that `readAnswer` made of this very buffer when it was the last one read; else null. It is given out once. */
export function takeObject(body: Buffer): AnswerObject | null {
  const object = lastBody === body ? lastObject : null;
  lastBody = null;
  lastObject = null;
  return object;
}

export type AnswerObject = Readonly<Record<string, unknown>>;

export interface TakenAnswer {
  readonly object: AnswerObject;
  /** The answer's bytes, one character each, so that places in the text are places in the body. */
  readonly text: string;
}

/** Where a field's value lies in the text; the end exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the string is that the answer's own `model` has. Null where it takes a walk to be sure. `text`
 * is known to be a JSON object, in which `,"model":"` can only be a key: a quote inside a string
 * is escaped. No bracket before it means that it is the object's own, and no `model"` behind it that it is the last.
 */
export function placeOfModel(text: string): Place | null {
  const key = text.indexOf(MODEL_KEY);
  if (key < 1 || text.charCodeAt(0) !== OPEN_BRACE || !startsField(text, key)) return null;
  if (isWithin(text.indexOf('{', 1), key) || isWithin(text.indexOf('[', 1), key)) return null;
  const start = key + MODEL_KEY.length - 1;
  const quote = text.indexOf('"', start + 1);
  if (text.charCodeAt(quote - 1) === BACKSLASH || text.indexOf(MODEL_END, quote + 1) !== -1) return null;
  return { start, end: quote + 1 };
}

let lastBody: Buffer | null = null;
let lastObject: AnswerObject | null = null;
let keptBody: Buffer | null = null;
let keptObject: AnswerObject | null = null;
let keptText: string | null = null;

/** A larger answer is walked through: it is rare, and not to be kept alive by this. */
const KEPT_BYTES_MAX = 64 * 1024;
/** From here on inline media are looked for. */
const LARGE_BYTES = 1024 * 1024;
const MODEL_KEY = '"model":"';
const MODEL_END = 'model"';
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;

/** `text` of a small body; a large one is parsed without its inline media, which a parser would look at character by character. */
function parseObject(body: Buffer, text: string | null): AnswerObject | null {
  try {
    const value: unknown = text === null ? parseAround(body, findLargeTexts(body)) : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AnswerObject) : null;
  } catch {
    // Not swallowed: null makes the answer a failed one.
    return null;
  }
}

/** Whether the quote at `key` stands right behind what ends another field, or begins the object. */
function startsField(text: string, key: number): boolean {
  const before = text.charCodeAt(key - 1);
  return before === COMMA || before === OPEN_BRACE;
}

function isWithin(found: number, end: number): boolean {
  return found !== -1 && found < end;
}
