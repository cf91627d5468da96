/** Where a chunk's text stands, and OpenAI's `obfuscation` behind it: what differs between the chunks of a stream. */

import { FieldCursor } from '../../../wire/field-cursor.ts';
import { type FindText, TextTemplate } from '../../kit/relay/text-template.ts';

/** Knows chunks that are like one that it has learned. */
export class ChunkTemplate extends TextTemplate {
  constructor() {
    super(findText);
  }
}

const findText: FindText = (bytes, start, end) => {
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
  if (!enter(bytes, choicesStart + 1, choicesEnd - 1, DELTA)) return null;
  const { valueStart, valueEnd } = cursor;
  for (const name of TEXTS) {
    if (!enter(bytes, valueStart, valueEnd, name) || bytes[cursor.valueStart] !== QUOTE) continue;
    const [textStart, textEnd] = [cursor.valueStart + 1, cursor.valueEnd - 1];
    if (textEnd > textStart) return { textStart, textEnd, paddingStart, paddingEnd };
  }
  return null;
};

/** Moves the cursor to a field of the object at `start`. */
function enter(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  cursor.open(bytes, start, end);
  while (cursor.next()) if (cursor.keyIs(name)) return true;
  return false;
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
