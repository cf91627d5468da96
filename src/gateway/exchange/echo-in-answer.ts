/**
 * The model's words in an answer belong to the caller and pass whatever they are. Everything else from the provider, such as
 * additional fields and stream lines that are not data, may repeat the credential, as an error may.
 */
import type { AnswerWords } from '../../dialects/interface/answer-words.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import { nameGivenTwice } from '../../wire/json-twice.ts';

export interface CredentialTest {
  /** Shorter text cannot repeat it. */
  readonly lengthMin: number;
  isIn(text: string | Buffer): boolean;
}

/** Whether an answer parsed as JSON, or an event's data, repeats it outside the model's words; `isInDroppedField` sees what a parser drops. */
export function isOutsideWords(answer: object, words: AnswerWords, test: CredentialTest): boolean {
  if (test.lengthMin === Number.POSITIVE_INFINITY) return false;
  const fields = answer as Fields;
  for (const name in fields) {
    if (words.texts?.has(name) === true && typeof fields[name] === 'string') continue;
    if (isIn(name, test) || isInValue(fields[name], words.parts.has(name) ? words.names : NO_WORDS, test, 1))
      return true;
  }
  return false;
}

/** Whether a whole answer may repeat it in a duplicate field, which a parser drops. */
export function isInDroppedField(bytes: Buffer, test: CredentialTest): boolean {
  return test.isIn(bytes) && isAnyTwice(bytes);
}

/**
 * The same for one event of a stream. Nearly none contains it anywhere in its bytes; otherwise it is parsed as JSON. What
 * cannot be parsed counts as repeating it.
 */
export function isOutsideWordsOfFrame(frame: Frame, words: AnswerWords, test: CredentialTest): boolean {
  const { bytes, data, dataStart } = frame;
  if (!test.isIn(bytes)) return false;
  if (data === null || dataStart === -1) return true;
  if (test.isIn(bytes.subarray(0, dataStart)) || test.isIn(bytes.subarray(dataStart + data.length))) return true;
  const payload = frame.json();
  if (typeof payload !== 'object' || payload === null) return true;
  return isOutsideWords(payload, words, test) || isAnyTwice(data);
}

/** Whether the JSON has duplicate fields, of which a parser returns only the last. */
function isAnyTwice(json: Buffer): boolean {
  return nameGivenTwice(json.toString()) !== null;
}

type Fields = Readonly<Record<string, unknown>>;
const NO_WORDS: ReadonlySet<string> = new Set();
/** No answer is nested as deep outside its words. */
const DEPTH_MAX = 128;

/** Nearly every name, and most text outside the words, is shorter than any credential. */
function isIn(text: string, test: CredentialTest): boolean {
  return text.length >= test.lengthMin && test.isIn(text);
}

function isInValue(value: unknown, words: ReadonlySet<string>, test: CredentialTest, depth: number): boolean {
  if (typeof value === 'string') return isIn(value, test);
  if (typeof value !== 'object' || value === null) return false;
  if (depth > DEPTH_MAX) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isInValue(item, words, test, depth + 1)) return true;
    return false;
  }
  const fields = value as Fields;
  for (const name in fields) {
    if (words.has(name)) continue;
    if (isIn(name, test)) return true;
    const inner = fields[name];
    // Most values are numbers.
    if (typeof inner === 'number' || inner === null) continue;
    if (isInValue(inner, name === ERROR ? NO_WORDS : words, test, depth + 1)) return true;
  }
  return false;
}

/** The text of an error is the provider's, wherever it is. */
const ERROR = 'error';
