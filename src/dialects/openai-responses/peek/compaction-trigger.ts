/**
 * An item that makes the provider summarise the conversation before it goes on. Types of items are not read one by one, so its name is
 * searched for: whoever only writes about it holds more than needed.
 *
 * https://platform.openai.com/docs/api-reference/responses/create (input, compaction_trigger)
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { present } from './peeked-fields.ts';

/** Whether such an item may be in the input, also with escaped letters in its name. */
export function mayTriggerCompaction(document: JsonDocument): boolean {
  const input = present(document, 'input');
  if (input === null || input.type !== 'array') return false;
  const bytes = document.bytes.subarray(input.valueStart, input.valueEnd);
  return bytes.includes(NAME) || hasEscapedLetter(bytes);
}

const NAME = Buffer.from('compaction_trigger');
/** Searching a body of nothing else would take long. */
const ESCAPES_MAX = 100_000;
const ESCAPE = Buffer.from('\\u00');
/** The third digits of escapes of `_` and of small letters; no writer of JSON escapes these. */
const THIRD_DIGITS: ReadonlySet<number | undefined> = new Set(Buffer.from('567'));

function hasEscapedLetter(bytes: Buffer): boolean {
  let left = ESCAPES_MAX;
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + ESCAPE.length)) {
    left -= 1;
    if (left < 0 || THIRD_DIGITS.has(bytes[at + ESCAPE.length])) return true;
  }
  return false;
}
