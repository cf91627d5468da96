/**
 * One message of AWS's binary event stream: a prelude of two lengths and their checksum, headers, a payload, a checksum of all of it.
 *
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 */
import { crc32 } from 'node:zlib';
import { internName } from '../intern-name.ts';
import { Frame } from './frame.ts';

/** The two lengths and their checksum, in bytes. */
export const PRELUDE_BYTES = 12;

/**
 * The length of the message whose prelude is at `at`, of which `PRELUDE_BYTES` must be there; -1 if the prelude is damaged or the message
 * is longer than `bytesMax`.
 */
export function messageLength(bytes: Buffer, at: number, bytesMax: number): number {
  const length = bytes.readUInt32BE(at);
  const headers = bytes.readUInt32BE(at + 4);
  if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32BE(at + 8)) return -1;
  const isPossible = length <= bytesMax && headers <= HEADERS_BYTES_MAX && headers <= length - BYTES_BESIDE;
  return isPossible ? length : -1;
}

/**
 * The frame of a whole message, whose length `messageLength` has checked; null if it is damaged. An event has its type and its payload. An
 * exception's event is its type after `EXCEPTION`; so is an error's code, and its data is a JSON object with the message.
 */
export function readMessage(message: Buffer): Frame | null {
  const end = message.length - CHECKSUM_BYTES;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end)) return null;
  const payloadStart = PRELUDE_BYTES + message.readUInt32BE(4);
  const headers = readHeaders(message, payloadStart);
  if (headers === null) return null;
  const payload = message.subarray(payloadStart, end);
  switch (headers.messageType) {
    case 'event':
      return new Frame(message, headers.eventType, payload, payloadStart);
    case 'exception':
      return new Frame(message, EXCEPTION + headers.exceptionType, payload, payloadStart);
    case 'error':
      return new Frame(message, EXCEPTION + headers.errorCode, messageOf(headers.errorMessage), -1);
    default:
      return null;
  }
}

/** Begins the event of a frame with which the provider ends an answer that has failed; its type follows. */
export const EXCEPTION = 'exception:';

/** Stands for a message that is damaged or too long, of which nothing is shown. */
export function damagedFrame(): Frame {
  return new Frame(NOTHING, DAMAGED, messageOf('The event stream is damaged.'), -1);
}

export const DAMAGED = `${EXCEPTION}damagedEventStream`;

const NOTHING = Buffer.alloc(0);
const CHECKSUM_BYTES = 4;
const BYTES_BESIDE = PRELUDE_BYTES + CHECKSUM_BYTES;
const HEADERS_BYTES_MAX = 128 * 1024;

function messageOf(message: string): Buffer {
  return Buffer.from(JSON.stringify({ message }));
}

/** Those that say what a message is; empty if absent. */
interface Headers {
  messageType: string;
  eventType: string | null;
  exceptionType: string;
  errorCode: string;
  errorMessage: string;
}

/** Null if they do not fill their space exactly. */
function readHeaders(message: Buffer, end: number): Headers | null {
  const headers: Headers = { messageType: '', eventType: null, exceptionType: '', errorCode: '', errorMessage: '' };
  let at = PRELUDE_BYTES;
  while (at < end) {
    const nameEnd = at + 1 + (message[at] as number);
    if (nameEnd >= end) return null;
    const type = message[nameEnd] as number;
    const fixed = VALUE_BYTES[type];
    if (fixed === undefined || (fixed === COUNTED && nameEnd + 3 > end)) return null;
    const valueStart = fixed === COUNTED ? nameEnd + 3 : nameEnd + 1;
    const valueEnd = valueStart + (fixed === COUNTED ? message.readUInt16BE(nameEnd + 1) : fixed);
    if (valueEnd > end) return null;
    if (type === STRING) keep(headers, textOf(message, at + 1, nameEnd), message, valueStart, valueEnd);
    at = valueEnd;
  }
  return headers;
}

/** The length of a value by its type: true, false, byte, short, integer, long, bytes, string, timestamp, UUID. */
const VALUE_BYTES: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16];
const COUNTED = -1;
const STRING = 7;

function keep(headers: Headers, name: string, message: Buffer, start: number, end: number): void {
  switch (name) {
    case ':message-type':
      headers.messageType = textOf(message, start, end);
      return;
    case ':event-type':
      headers.eventType = textOf(message, start, end);
      return;
    case ':exception-type':
      headers.exceptionType = textOf(message, start, end);
      return;
    case ':error-code':
      headers.errorCode = textOf(message, start, end);
      return;
    case ':error-message':
      headers.errorMessage = textOf(message, start, end);
  }
}

function textOf(message: Buffer, start: number, end: number): string {
  return internName(message, start, end) ?? message.toString('utf8', start, end);
}
