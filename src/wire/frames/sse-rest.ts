/** Reads the rest of a stream of server-sent events that lacks its last blank line. */
import type { Frame } from './frame.ts';
import { readFrame } from './sse-frame.ts';

/** The event with its blank line added, if its data is complete JSON; null if it is not an event or was cut off. */
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
