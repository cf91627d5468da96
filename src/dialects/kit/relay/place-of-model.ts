/** Finds an answer's own `model` without walking its fields. */

/** Where a field's value is in the text; the end exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the string value of the answer's own `model` is. Null if only a walk can be sure. `text` is known to be a JSON object, in which
 * `,"model":"` can only be a key: a quote inside a string is escaped. No bracket before it means that it is the object's own, and no
 * `model"` after it that it is the last one.
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

const MODEL_KEY = '"model":"';
const MODEL_END = 'model"';
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;

/** Whether the quote at `key` comes directly after the end of another field, or the start of the object. */
function startsField(text: string, key: number): boolean {
  const before = text.charCodeAt(key - 1);
  return before === COMMA || before === OPEN_BRACE;
}

function isWithin(found: number, end: number): boolean {
  return found !== -1 && found < end;
}
