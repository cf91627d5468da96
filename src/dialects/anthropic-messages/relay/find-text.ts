/** Finds the text of a `content_block_delta`, which is what differs between the deltas of a block. */
import { lastValue } from '../../kit/relay/last-value.ts';
import type { FindText } from '../../kit/relay/text-template.ts';

export const findText: FindText = (bytes, start, end) => {
  const delta = lastValue(bytes, start, end, DELTA);
  const type = delta === null ? null : lastValue(bytes, delta.start, delta.end, TYPE);
  if (delta === null || type === null) return null;
  const name = TEXT_OF_TYPE.get(bytes.toString('latin1', type.start, type.end));
  const text = name === undefined ? null : lastValue(bytes, delta.start, delta.end, name);
  if (text === null || bytes[text.start] !== QUOTE) return null;
  const [textStart, textEnd] = [text.start + 1, text.end - 1];
  return textEnd === textStart ? null : { textStart, textEnd, paddingStart: -1, paddingEnd: -1 };
};

const DELTA = Buffer.from('"delta"');
const TYPE = Buffer.from('"type"');
const TEXT_OF_TYPE: ReadonlyMap<string, Buffer> = new Map([
  ['"text_delta"', Buffer.from('"text"')],
  ['"thinking_delta"', Buffer.from('"thinking"')],
  ['"input_json_delta"', Buffer.from('"partial_json"')],
]);
const QUOTE = 0x22;
