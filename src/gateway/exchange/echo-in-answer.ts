/**
 * A good answer is the caller's, and its words pass whatever they are. What a provider says beside them, in fields that it adds
 * and in lines of a stream that are no data, may repeat the credential that it was sent, as an error may.
 */
import type { AnswerWords } from '../../dialects/interface/answer-words.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import { nameGivenTwice } from '../../wire/json-twice.ts';

export interface CredentialTest {
  /** What is shorter repeats nothing. */
  readonly lengthMin: number;
  isIn(said: string | Buffer): boolean;
}

/** Whether an answer that was read as JSON, or an event's data, repeats it elsewhere than in its words. */
function isBesideWords(answer: object, words: AnswerWords, test: CredentialTest): boolean {
  if (test.lengthMin === Number.POSITIVE_INFINITY) return false;
  const fields = answer as Fields;
  for (const name in fields) {
    if (isIn(name, test) || isSaid(fields[name], words.parts.has(name) ? words.names : NO_WORDS, test, 1)) return true;
  }
  return false;
}

/** The same of a whole answer, which may say a second time what a parser gives once. */
export function isBesideWordsIn(bytes: Buffer, answer: object, words: AnswerWords, test: CredentialTest): boolean {
  return isBesideWords(answer, words, test) || (test.isIn(bytes) && isAnyTwice(bytes));
}

/**
 * The same of one event of a stream. Nearly every one holds it nowhere, which is told from its bytes; else it is read as JSON.
 * What cannot be taken apart counts as repeating it.
 */
export function isBesideWordsOf(frame: Frame, words: AnswerWords, test: CredentialTest): boolean {
  const { bytes, data, dataStart } = frame;
  if (!test.isIn(bytes)) return false;
  if (data === null || dataStart === -1) return true;
  if (test.isIn(bytes.subarray(0, dataStart)) || test.isIn(bytes.subarray(dataStart + data.length))) return true;
  const payload = frame.json();
  if (typeof payload !== 'object' || payload === null) return true;
  return isBesideWords(payload, words, test) || isAnyTwice(data);
}

/** Whether a parser left something out: of fields of one name it gives the last. */
function isAnyTwice(json: Buffer): boolean {
  return nameGivenTwice(json.toString()) !== null;
}

type Fields = Readonly<Record<string, unknown>>;
const NO_WORDS: ReadonlySet<string> = new Set();
/** No answer nests as deep beside its words. */
const DEPTH_MAX = 128;

/** Nearly every name, and most of what a provider says beside the words, is shorter than any credential. */
function isIn(said: string, test: CredentialTest): boolean {
  return said.length >= test.lengthMin && test.isIn(said);
}

function isSaid(value: unknown, words: ReadonlySet<string>, test: CredentialTest, depth: number): boolean {
  if (typeof value === 'string') return isIn(value, test);
  if (typeof value !== 'object' || value === null) return false;
  if (depth > DEPTH_MAX) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isSaid(item, words, test, depth + 1)) return true;
    return false;
  }
  const fields = value as Fields;
  for (const name in fields) {
    if (words.has(name)) continue;
    if (isIn(name, test)) return true;
    const inner = fields[name];
    // Most are numbers.
    if (typeof inner === 'number' || inner === null) continue;
    if (isSaid(inner, name === ERROR ? NO_WORDS : words, test, depth + 1)) return true;
  }
  return false;
}

/** The words of an error are the provider's, wherever it stands. */
const ERROR = 'error';
