/** Reads the rest of a stream of server-sent events that lacks its last blank line. */
import { Frame } from './frame.ts';
import { readFrame } from './sse-frame.ts';

/**
 * The event with its blank line added, if its data is complete JSON; null if it is not an event or was cut off. An object alone, without
 * `data:`, counts as an event too: Google sends an error like that.
 */
export function frameOfRest(rest: Buffer): Frame | null {
  const frame = readFrame(Buffer.concat([rest, BLANK_LINE]), false);
  if (frame.data !== null) return isJson(frame.data) ? frame : null;
  return rest[0] === OPEN_BRACE && isJson(rest) ? new Frame(frame.bytes, null, rest, -1) : null;
}

const OPEN_BRACE = 0x7b;

const BLANK_LINE = Buffer.from('\n\n');

function isJson(data: Buffer): boolean {
  try {
    JSON.parse(data.toString());
    return true;
  } catch {
    return false;
  }
}
