/** What a stream of server-sent events ends with where its last blank line is missing. */
import type { Frame } from './frame.ts';
import { readFrame } from './sse-frame.ts';

/** The event that it would be, whole JSON as its data, with the blank line added; null where it is none, or was cut. */
export function frameOfRest(rest: Buffer): Frame | null {
  const frame = readFrame(Buffer.concat([rest, BLANK_LINE]), false);
  return frame.data !== null && isJson(frame.data) ? frame : null;
}

const BLANK_LINE = Buffer.from('\n\n');

function isJson(data: Buffer): boolean {
  try {
    JSON.parse(data.toString());
    return true;
  } catch {
    return false;
  }
}
