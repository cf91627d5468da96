/** `[DONE]`, the event that ends a stream of chat completion chunks. */
import { skipBlank } from '../../kit/answer/blank-data.ts';

const DONE = Buffer.from('[DONE]');
const OPEN_BRACKET = 0x5b;

/**
 * Where `[DONE]` is in an event's data, after white space that some servers write; -1 for other data. Clients check only how the data
 * begins: https://github.com/openai/openai-node/blob/master/src/core/streaming.ts
 */
export function placeOfDone(data: Buffer): number {
  const at = skipBlank(data);
  if (data[at] !== OPEN_BRACKET || data.length - at < DONE.length) return -1;
  return data.compare(DONE, 0, DONE.length, at, at + DONE.length) === 0 ? at : -1;
}
