/** Recognises events without meaning. */
import { isBlankData } from '../../kit/answer/blank-data.ts';

/** Whether an event says nothing: other formats end with `[DONE]`, and gateways in between add it here, too. */
export function isNoEvent(data: Buffer): boolean {
  return isBlankData(data) || (data.length <= DONE_BYTES_MAX && data.toString().trim() === '[DONE]');
}

const DONE_BYTES_MAX = 16;
