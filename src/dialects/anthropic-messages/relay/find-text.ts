/** Where the text of a `content_block_delta` stands: what differs between the deltas of a block. */
import type { FindText } from '../../kit/relay/text-template.ts';

export const findText: FindText = (bytes, start, end) => {
  const delta = bytes.indexOf(DELTA, start);
  if (delta === -1) return null;
  for (const kind of KINDS) {
    const textStart = delta + DELTA.length + kind.length;
    if (textStart >= end || bytes.compare(kind, 0, kind.length, delta + DELTA.length, textStart) !== 0) continue;
    const textEnd = bytes.indexOf(QUOTE, textStart);
    // A text that is empty, or holds a quote, is not the one to learn from.
    if (textEnd <= textStart || bytes[textEnd - 1] === BACKSLASH) return null;
    return { textStart, textEnd, paddingStart: -1, paddingEnd: -1 };
  }
  return null;
};

/** An unescaped quote before `delta` cannot stand inside a JSON string, so the first match is the key. */
const DELTA = Buffer.from('"delta":{"type":"');
const KINDS: readonly Buffer[] = [
  Buffer.from('text_delta","text":"'),
  Buffer.from('thinking_delta","thinking":"'),
  Buffer.from('input_json_delta","partial_json":"'),
];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
