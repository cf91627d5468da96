/** Finds the text of a message that has one candidate with one part: it is what differs between the messages of a stream. */
import { lastValue } from '../../kit/relay/last-value.ts';
import type { Place } from '../../kit/relay/place-of-model.ts';
import type { FindText } from '../../kit/relay/text-template.ts';

export const findText: FindText = (bytes, start, end) => {
  const candidates = arrayOf(bytes, lastValue(bytes, start, end, CANDIDATES));
  const content = candidates === null ? null : lastValue(bytes, candidates.start, candidates.end, CONTENT);
  const parts = content === null ? null : arrayOf(bytes, lastValue(bytes, content.start, content.end, PARTS));
  const text = parts === null ? null : lastValue(bytes, parts.start, parts.end, TEXT);
  if (text === null || bytes[text.start] !== QUOTE) return null;
  const [textStart, textEnd] = [text.start + 1, text.end - 1];
  return textEnd === textStart ? null : { textStart, textEnd, paddingStart: -1, paddingEnd: -1 };
};

/** The inside of an array; null for anything else. */
function arrayOf(bytes: Buffer, place: Place | null): Place | null {
  if (place === null || bytes[place.start] !== OPEN_BRACKET) return null;
  return { start: place.start + 1, end: place.end - 1 };
}

const CANDIDATES = Buffer.from('"candidates"');
const CONTENT = Buffer.from('"content"');
const PARTS = Buffer.from('"parts"');
const TEXT = Buffer.from('"text"');
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
