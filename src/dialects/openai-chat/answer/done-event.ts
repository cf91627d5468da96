/** `[DONE]`, the event that ends a stream of chat completion chunks. */
import { isSpace } from '../../../wire/json-grammar.ts';

const DONE = Buffer.from('[DONE]');
const OPEN_BRACKET = 0x5b;

/**
 * Where the word stands in an event's data, behind white space that some servers write; -1 where the data is another. Clients
 * look only at how the data begins: https://github.com/openai/openai-node/blob/master/src/core/streaming.ts
 */
export function placeOfDone(data: Buffer): number {
  const at = skipBlank(data);
  if (data[at] !== OPEN_BRACKET || data.length - at < DONE.length) return -1;
  return data.compare(DONE, 0, DONE.length, at, at + DONE.length) === 0 ? at : -1;
}

/** Whether an event says nothing: by the specification one without data is none. */
export function isBlank(data: Buffer): boolean {
  return skipBlank(data) === data.length;
}

function skipBlank(data: Buffer): number {
  let at = 0;
  while (at < data.length && isSpace(data[at] as number)) at += 1;
  return at;
}
