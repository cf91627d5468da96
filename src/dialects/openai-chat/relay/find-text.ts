/** Finds a chunk's text, and OpenAI's `obfuscation` after it, which are what differs between the chunks of a stream. */
import { lastValue } from '../../kit/relay/last-value.ts';
import type { Place } from '../../kit/relay/place-of-model.ts';
import type { FindText, FoundText } from '../../kit/relay/text-template.ts';

export const findText: FindText = (bytes, start, end) => {
  const choices = choicesIn(bytes, start, end);
  if (choices === null) return null;
  const delta = lastValue(bytes, choices.start + 1, choices.end - 1, DELTA);
  return delta === null ? null : textIn(bytes, { start, end }, choices, delta, TEXTS);
};

/** The same for a chunk of a text completion. */
export const findCompletionText: FindText = (bytes, start, end) => {
  const choices = choicesIn(bytes, start, end);
  if (choices === null) return null;
  return textIn(bytes, { start, end }, choices, { start: choices.start + 1, end: choices.end - 1 }, TEXT);
};

function choicesIn(bytes: Buffer, start: number, end: number): Place | null {
  const choices = lastValue(bytes, start, end, CHOICES);
  return choices === null || bytes[choices.start] !== OPEN_BRACKET ? null : choices;
}

/** The first of `names` that has a text in the object `within`. */
function textIn(
  bytes: Buffer,
  { start, end }: Place,
  choices: Place,
  within: Place,
  names: readonly Buffer[],
): FoundText | null {
  const padding = lastValue(bytes, start, end, OBFUSCATION);
  const isPadded = padding !== null && padding.start > choices.end && bytes[padding.start] === QUOTE;
  for (const name of names) {
    const value = lastValue(bytes, within.start, within.end, name);
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
}

const CHOICES = Buffer.from('"choices"');
const DELTA = Buffer.from('"delta"');
const OBFUSCATION = Buffer.from('"obfuscation"');
const TEXTS: readonly Buffer[] = [
  Buffer.from('"content"'),
  Buffer.from('"reasoning_content"'),
  Buffer.from('"reasoning"'),
];
const TEXT: readonly Buffer[] = [Buffer.from('"text"')];
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
