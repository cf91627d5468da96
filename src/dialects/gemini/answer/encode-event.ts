/** One event of a streamed answer: Google ends its lines with CR LF. JSON has no line breaks, so an event is one line and a blank one. */
export function encodeEvent(json: string): Buffer {
  return Buffer.from(`${EVENT_START}${json}${EVENT_END}`);
}

export const EVENT_START = 'data: ';
export const EVENT_END = '\r\n\r\n';
