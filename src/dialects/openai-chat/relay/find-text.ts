/** Where a chunk's text stands, and OpenAI's `obfuscation` behind it: what differs between the chunks of a stream. */

import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { FindText } from '../../kit/relay/text-template.ts';

export const findText: FindText = (bytes, start, end) => {
  let choicesStart = -1;
  let choicesEnd = -1;
  let paddingStart = -1;
  let paddingEnd = -1;
  cursor.open(bytes, start, end);
  while (cursor.next()) {
    if (cursor.keyIs(CHOICES) && bytes[cursor.valueStart] === OPEN_BRACKET) {
      choicesStart = cursor.valueStart;
      choicesEnd = cursor.valueEnd;
    } else if (cursor.keyIs(OBFUSCATION) && bytes[cursor.valueStart] === QUOTE && choicesStart !== -1) {
      paddingStart = cursor.valueStart + 1;
      paddingEnd = cursor.valueEnd - 1;
    }
  }
  if (cursor.broken || choicesStart === -1) return null;
  const delta = findValue(bytes, choicesStart + 1, choicesEnd - 1, DELTA);
  if (delta === null) return null;
  for (const name of TEXTS) {
    const value = findValue(bytes, delta.start, delta.end, name);
    if (value === null || bytes[value.start] !== QUOTE) continue;
    const [textStart, textEnd] = [value.start + 1, value.end - 1];
    if (textEnd > textStart) return { textStart, textEnd, paddingStart, paddingEnd };
  }
  return null;
};

/** The value of a field of the object at `start`; the last one where it stands there twice, as for a JSON parser. */
function findValue(bytes: Buffer, start: number, end: number, name: Buffer): { start: number; end: number } | null {
  let value: { start: number; end: number } | null = null;
  cursor.open(bytes, start, end);
  while (cursor.next()) if (cursor.keyIs(name)) value = { start: cursor.valueStart, end: cursor.valueEnd };
  return value;
}

/** Every search is over before the next one begins. */
const cursor = new FieldCursor();
const CHOICES = Buffer.from('"choices"');
const DELTA = Buffer.from('"delta"');
const OBFUSCATION = Buffer.from('"obfuscation"');
const TEXTS: readonly Buffer[] = [
  Buffer.from('"content"'),
  Buffer.from('"reasoning_content"'),
  Buffer.from('"reasoning"'),
];
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
