/** `[DONE]`, which ends streams of OpenAI's older format: servers of several formats add it here, too. */
import { isBlankData, skipBlank } from '../../kit/answer/blank-data.ts';

/** Whether an event's data is only that. */
export function isDone(data: Buffer): boolean {
  const start = skipBlank(data);
  return data.length - start >= DONE.length && data.length - start <= DONE_BYTES_MAX && isMark(data.subarray(start));
}

const DONE = Buffer.from('[DONE]');
/** With some white space. */
const DONE_BYTES_MAX = 16;

function isMark(data: Buffer): boolean {
  return data.subarray(0, DONE.length).equals(DONE) && isBlankData(data.subarray(DONE.length));
}
