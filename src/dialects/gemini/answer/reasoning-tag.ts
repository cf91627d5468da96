/**
 * Keeps the opaque values of other vendors' thoughts inside `thoughtSignature`. Callers of this format send each part back with the
 * signature that it had, and some of them leave out the parts that are thoughts; so the signature of the part after a thought has all of
 * it: the vendor, the words and the opaque value. Google's own signatures pass unchanged.
 *
 * The field is one of bytes, so the value is base 64; Python's clients send it back in the alphabet for URLs.
 *
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
import { GOOGLE_REASONING, type ReasoningBlock } from '../../../chat/request.ts';

/** A signature of ours without any thought. In a relay it becomes the value that Google documents for a lost one. */
export const NO_THOUGHTS = Buffer.from('tp1.').toString('base64');

/** The signature for the part after these thoughts; null if none is needed, because nothing of them is opaque. */
export function sealThoughts(thoughts: readonly ReasoningBlock[]): string | null {
  if (thoughts.length === 0) return null;
  const [first, second] = thoughts.filter((thought) => !isGooglesWords(thought));
  if (first !== undefined && second === undefined && isGooglesOwn(first)) return first.encrypted;
  return Buffer.from([TAG, ...thoughts.slice(0, THOUGHTS_MAX).map(writeThought)].join('\n')).toString('base64');
}

/** The thoughts in a signature that `sealThoughts` made; null for any other. */
export function openThoughts(signature: string): readonly ReasoningBlock[] | null {
  if (!signature.startsWith(TAG_IN_BASE64)) return null;
  const [tag, ...lines] = Buffer.from(signature, 'base64')
    .toString()
    .split('\n', THOUGHTS_MAX + 1);
  if (tag !== TAG) return null;
  return lines.map(readThought);
}

/** Whether it is nothing but a signature of Google's, which its own format can carry; its id is that of the call that has it. */
function isGooglesOwn({ origin, text, signature, encrypted }: ReasoningBlock): boolean {
  return origin === GOOGLE_REASONING && text === '' && signature === null && encrypted !== null;
}

/** Before one part; models think a few times before they act. */
const THOUGHTS_MAX = 256;
/** Google does not take its words back. */
function isGooglesWords({ origin, signature, encrypted }: ReasoningBlock): boolean {
  return origin === GOOGLE_REASONING && (signature ?? encrypted ?? '') === '';
}

const TAG = 'tp1.';
/** What every text that begins with the tag and a line break begins with. */
export const TAG_IN_BASE64 = Buffer.from(`${TAG}\n`).toString('base64').slice(0, 6);

/** Origin, id, whether it is a summary, signature, encrypted value and text, each without line breaks and spaces. */
function writeThought({ origin, id = '', summary, signature, encrypted, text }: ReasoningBlock): string {
  return [origin, id, summary === true ? SUMMARY : '', signature ?? '', encrypted ?? '', text].map(escaped).join(' ');
}

function readThought(line: string): ReasoningBlock {
  const [origin = '', id = '', summary = '', signature = '', encrypted = '', text = ''] = line
    .split(' ', 6)
    .map(unescaped);
  return {
    type: 'reasoning',
    text,
    signature: signature || null,
    encrypted: encrypted || null,
    origin,
    ...(id !== '' && { id }),
    ...(summary === SUMMARY && { summary: true }),
  };
}

const SUMMARY = 'summary';

function escaped(word: string): string {
  return word.replace(
    /[% \n]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

function unescaped(word: string): string {
  return word.replace(/%(25|20|0A)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
