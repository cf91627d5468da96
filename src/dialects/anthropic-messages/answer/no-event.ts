/** Events that say nothing. */
import { isBlankData } from '../../kit/answer/blank-data.ts';

/** What a client of this format parses the data of, whatever it is. */
const PARSED: ReadonlySet<string> = new Set([
  ...['message_start', 'message_delta', 'message_stop', 'error'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
]);

/** Whether an event says nothing, and its clients pass over it: it has no data, and no name that promises some. */
export function isNoEvent(event: string | null, data: Buffer): boolean {
  return isBlankData(data) && (event === null || !PARSED.has(event));
}
