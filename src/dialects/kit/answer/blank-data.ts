/**
 * By the specification, a server-sent event without data is not an event: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import { isSpace } from '../../../wire/json-grammar.ts';

/** Whether an event's data is white space only. */
export function isBlankData(data: Buffer): boolean {
  return skipBlank(data) === data.length;
}

/** Where the data continues after the white space that some servers write. */
export function skipBlank(data: Buffer): number {
  let at = 0;
  while (at < data.length && isSpace(data[at] as number)) at += 1;
  return at;
}
