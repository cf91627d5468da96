/**
 * Writes AWS's binary event stream for tests, from the page about it; `event-stream.test.ts` compares it with Amazon's own package.
 *
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 */
import { crc32 } from 'node:zlib';

export type EventHeaders = Readonly<Record<string, string>>;

/** One message with headers of strings. */
export function encodeMessage(headers: EventHeaders, payload: Buffer | string): Buffer {
  return messageOf(Buffer.concat(Object.entries(headers).map(([name, value]) => stringHeader(name, value))), payload);
}

/** One message with these bytes as its headers, which need not be valid. */
export function messageOf(headers: Buffer, payload: Buffer | string): Buffer {
  const prelude = Buffer.alloc(12);
  const body = Buffer.from(payload);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, body]);
  return Buffer.concat([message, uint32(crc32(message))]);
}

/** How a message of so many bytes begins. */
export function beginOfMessage(bytes: number): Buffer {
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(bytes, 0);
  return Buffer.concat([prelude, uint32(crc32(prelude))]);
}

/** The same message with another payload. */
export function withPayload(message: Buffer, change: (payload: string) => string): Buffer {
  const end = 12 + message.readUInt32BE(4);
  return messageOf(message.subarray(12, end), change(message.toString('utf8', end, message.length - 4)));
}

export function encodeEvent(type: string, payload: object): Buffer {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' };
  return encodeMessage(headers, JSON.stringify(payload));
}

export function encodeException(type: string, message: string): Buffer {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' };
  return encodeMessage(headers, JSON.stringify({ message }));
}

/** An event of another format, as `InvokeModelWithResponseStream` sends it. */
export function encodeChunk(event: string): Buffer {
  return encodeEvent('chunk', { bytes: Buffer.from(event).toString('base64'), p: 'abcdef' });
}

/** Lines of an event and its payload, `contentBlockStop {"contentBlockIndex":0}`; the event may be `exception:` and a type. */
export function encodeEventLines(text: string): Buffer {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Buffer.concat(lines.map((line) => encodeEventLine(line.trim())));
}

function encodeEventLine(line: string): Buffer {
  const blank = line.indexOf(' ');
  const [event, payload] = [line.slice(0, blank), JSON.parse(line.slice(blank + 1))];
  return event.startsWith('exception:')
    ? encodeException(event.slice('exception:'.length), payload.message)
    : encodeEvent(event, payload);
}

function stringHeader(name: string, value: string): Buffer {
  const text = Buffer.from(value);
  const head = Buffer.from([name.length, ...Buffer.from(name), 7, text.length >> 8, text.length & 0xff]);
  return Buffer.concat([head, text]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
