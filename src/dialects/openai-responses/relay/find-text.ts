/**
 * Finds the text of an event, with OpenAI's `obfuscation` and the event's own number: they are what differs between the deltas of a part.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import { lastValue } from '../../kit/relay/last-value.ts';
import type { FindText } from '../../kit/relay/text-template.ts';

/** Of texts only: their reader does not depend on what came before. */
export const findText: FindText = (bytes, start, end) => found(bytes, start, end, TEXTS);

/** In a relay, which has no reader, also of arguments. */
export const findDelta: FindText = (bytes, start, end) => found(bytes, start, end, DELTAS);

function found(bytes: Buffer, start: number, end: number, types: ReadonlySet<string>): ReturnType<FindText> {
  const type = lastValue(bytes, start, end, TYPE);
  if (type === null || !types.has(bytes.toString('latin1', type.start, type.end))) return null;
  const delta = lastValue(bytes, start, end, DELTA);
  if (delta === null || bytes[delta.start] !== QUOTE) return null;
  const [textStart, textEnd] = [delta.start + 1, delta.end - 1];
  if (textStart === textEnd) return null;
  const padding = lastValue(bytes, start, end, OBFUSCATION);
  const isPadded = padding !== null && padding.start > delta.end && bytes[padding.start] === QUOTE;
  const number = lastValue(bytes, start, end, NUMBER);
  const isNumbered = number !== null && isDigits(bytes, number.start, number.end);
  return {
    textStart,
    textEnd,
    paddingStart: isPadded ? padding.start + 1 : -1,
    paddingEnd: isPadded ? padding.end - 1 : -1,
    ...(isNumbered && { numberStart: number.start, numberEnd: number.end }),
  };
}

const TEXTS: ReadonlySet<string> = new Set([
  ...['"response.output_text.delta"', '"response.reasoning_summary_text.delta"', '"response.reasoning_text.delta"'],
]);
const DELTAS: ReadonlySet<string> = new Set([
  ...TEXTS,
  ...['"response.function_call_arguments.delta"', '"response.custom_tool_call_input.delta"'],
]);
const TYPE = Buffer.from('"type"');
const DELTA = Buffer.from('"delta"');
const OBFUSCATION = Buffer.from('"obfuscation"');
const NUMBER = Buffer.from('"sequence_number"');
const QUOTE = 0x22;

function isDigits(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return true;
}
