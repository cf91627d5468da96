/** By the specification of server-sent events, one without data is none: https://html.spec.whatwg.org/multipage/server-sent-events.html */
import { isSpace } from '../../../wire/json-grammar.ts';

/** What a client of this format parses the data of, whatever it is. */
const PARSED: ReadonlySet<string> = new Set([
  ...['message_start', 'message_delta', 'message_stop', 'error'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
]);

/** Whether an event says nothing, and its clients pass over it: it has no data, and no name that promises some. */
export function isNoEvent(event: string | null, data: Buffer): boolean {
  for (let at = 0; at < data.length; at += 1) if (!isSpace(data[at] as number)) return false;
  return event === null || !PARSED.has(event);
}
