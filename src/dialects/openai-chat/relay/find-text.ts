/** Finds a chunk's text, and OpenAI's `obfuscation` after it, which are what differs between the chunks of a stream. */
import { lastValue } from '../../kit/relay/last-value.ts';
import type { FindText } from '../../kit/relay/text-template.ts';

export const findText: FindText = (bytes, start, end) => {
  const choices = lastValue(bytes, start, end, CHOICES);
  if (choices === null || bytes[choices.start] !== OPEN_BRACKET) return null;
  const delta = lastValue(bytes, choices.start + 1, choices.end - 1, DELTA);
  if (delta === null) return null;
  const padding = lastValue(bytes, start, end, OBFUSCATION);
  const isPadded = padding !== null && padding.start > choices.end && bytes[padding.start] === QUOTE;
  for (const name of TEXTS) {
    const value = lastValue(bytes, delta.start, delta.end, name);
    if (value === null || bytes[value.start] !== QUOTE) continue;
    const [textStart, textEnd] = [value.start + 1, value.end - 1];
    if (textEnd === textStart) continue;
    return {
      textStart,
      textEnd,
      paddingStart: isPadded ? padding.start + 1 : -1,
      paddingEnd: isPadded ? padding.end - 1 : -1,
    };
  }
  return null;
};

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
