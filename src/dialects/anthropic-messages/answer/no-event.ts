/** Recognises events without meaning. */
import { isBlankData } from '../../kit/answer/blank-data.ts';

/** Events of which clients always parse the data. */
const PARSED: ReadonlySet<string> = new Set([
  ...['message_start', 'message_delta', 'message_stop', 'error'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
]);

/** Whether clients ignore an event: it has no data, and no name that requires some. */
export function isNoEvent(event: string | null, data: Buffer): boolean {
  return isBlankData(data) && (event === null || !PARSED.has(event));
}
