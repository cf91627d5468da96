/**
 * An item that makes the provider summarise the conversation before it goes on. Types of items are not read one by one, so its name is
 * searched for: whoever only writes about it holds more than needed.
 *
 * https://platform.openai.com/docs/api-reference/responses/create (input, compaction_trigger)
 */
import type { JsonDocument, JsonField, Mark } from '../../../wire/json-document.ts';
import { placesOf } from '../../../wire/mark-search.ts';
import { present } from './peeked-fields.ts';

/** Whether such an item may be in the input, also with escaped letters in its name. */
export function mayTriggerCompaction(document: JsonDocument): boolean {
  const input = present(document, 'input');
  if (input === null || input.type !== 'array') return false;
  const { valueStart, valueEnd } = input;
  return document.bytes.subarray(valueStart, valueEnd).includes(NAME) || hasEscapedLetter(document, input);
}

/** Where an escape of an ASCII character begins. */
export const ESCAPE: Mark = { text: Buffer.from('\\u00'), max: 100_000 };

function hasEscapedLetter(document: JsonDocument, { valueStart, valueEnd }: JsonField): boolean {
  const places = placesOf(ESCAPE, document);
  if (places.length === ESCAPE.max) return true;
  return places.some(
    (at) => at >= valueStart && at < valueEnd && THIRD_DIGITS.has(document.bytes[at + ESCAPE.text.length]),
  );
}

const NAME = Buffer.from('compaction_trigger');
/** The third digits of escapes of `_` and of small letters; no writer of JSON escapes these. */
const THIRD_DIGITS: ReadonlySet<number | undefined> = new Set(Buffer.from('567'));
