/** A stream as its provider sends it, from the payloads of its events: so that fixtures and recordings can be read. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { encodeSse } from '../../src/wire/frames/sse-splitter.ts';
import { encodeEvent, encodeException } from '../support/event-stream.ts';
import { framingOf } from './framing-of.ts';

/** `payloads`: JSON, one an event; in AWS's framing an object of the event's type and its payload. */
export function encodeStream(dialect: ProviderDialectName, payloads: readonly string[]): Buffer {
  return Buffer.concat(payloads.map(framingOf(dialect) === 'sse' ? (payload) => sseOf(dialect, payload) : awsEventOf));
}

/** Where events have names, the name is in the payload as well. */
function sseOf(dialect: ProviderDialectName, payload: string): Buffer {
  return encodeSse(NAMED.has(dialect) ? JSON.parse(payload).type : null, payload);
}

const NAMED: ReadonlySet<string> = new Set(['anthropic-messages', 'openai-responses']);

function awsEventOf(payload: string): Buffer {
  const [[type, fields] = ['', {}]] = Object.entries<object>(JSON.parse(payload));
  return type.endsWith('Exception')
    ? encodeException(type, (fields as { message: string }).message)
    : encodeEvent(type, fields);
}
