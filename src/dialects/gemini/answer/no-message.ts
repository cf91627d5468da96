/** Recognises events of a stream that are no message. */
import { isBlankData } from '../../kit/answer/blank-data.ts';

/** Other formats end with `[DONE]`, and gateways in between add it here, too. */
export function isNoMessage(data: Buffer): boolean {
  return isBlankData(data) || (data.length <= DONE_BYTES_MAX && data.toString().trim() === '[DONE]');
}

const DONE_BYTES_MAX = 16;
