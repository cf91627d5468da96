/**
 * The events of another format inside AWS's binary event stream: each `chunk` has one, in base 64. They become server-sent events, as the
 * model's own vendor sends them: the name of an event is its `type`. Claude's answers on Bedrock come like this.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html
 */
import { asObject, type JsonObject } from '../../core/json-object.ts';
import { damagedFrame, EXCEPTION } from './event-stream-message.ts';
import { EventStreamSplitter, type EventStreamSplitterOptions } from './event-stream-splitter.ts';
import { Frame } from './frame.ts';
import type { FrameSplitter } from './frame-splitter.ts';

/** Cuts a stream into the events in its chunks. An exception becomes an `error` event; messages of other types have no meaning there. */
export class EventStreamChunks implements FrameSplitter {
  readonly isBetweenFrames = false;
  readonly #messages: EventStreamSplitter;

  constructor(options: EventStreamSplitterOptions = {}) {
    this.#messages = new EventStreamSplitter(options);
  }

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    for (const message of this.#messages.push(chunk)) {
      if (message.event === 'chunk') frames.push(readChunk(message));
      else if (message.event?.startsWith(EXCEPTION) === true) frames.push(errorFrame(message));
    }
    return frames;
  }

  /** Nothing: part of a message is not part of an event. */
  end(): Buffer {
    this.#messages.end();
    return NOTHING;
  }
}

const NOTHING = Buffer.alloc(0);

function readChunk(message: Frame): Frame {
  const encoded = asObject(message.json())?.['bytes'];
  if (typeof encoded !== 'string') return errorFrame(damagedFrame());
  const data = Buffer.from(encoded, 'base64');
  onOneLine(data);
  return eventFrame(typeOf(data), data);
}

/** The names in the exceptions' and in Anthropic's tables of errors. */
const ERROR_TYPES: ReadonlyMap<string, string> = new Map([
  ['validationException', 'invalid_request_error'],
  ['throttlingException', 'rate_limit_error'],
  ['serviceUnavailableException', 'overloaded_error'],
  ['modelTimeoutException', 'timeout_error'],
]);

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming (error events) */
function errorFrame(exception: Frame): Frame {
  const said: JsonObject = asObject(exception.json()) ?? {};
  const type = ERROR_TYPES.get(exception.event?.slice(EXCEPTION.length) ?? '') ?? 'api_error';
  const message = typeof said['message'] === 'string' ? said['message'] : '';
  return eventFrame('error', Buffer.from(JSON.stringify({ type: 'error', error: { type, message } })));
}

function eventFrame(event: string | null, data: Buffer): Frame {
  const head = event === null ? 'data: ' : `event: ${event}\ndata: `;
  const bytes = Buffer.allocUnsafe(head.length + data.length + 2);
  bytes.write(head, 'latin1');
  data.copy(bytes, head.length);
  bytes.write('\n\n', head.length + data.length, 'latin1');
  return new Frame(bytes, event, bytes.subarray(head.length, bytes.length - 2), head.length);
}

/** How vendors begin an event. */
const FIRST_FIELD = /^\{"type":"(\w{1,40})"/;
const HEAD_BYTES = 64;
const NAME = /^[\w.-]{1,64}$/;

/** Null if the event has none, or none that could be a name. */
function typeOf(data: Buffer): string | null {
  const first = FIRST_FIELD.exec(data.toString('latin1', 0, HEAD_BYTES))?.[1];
  if (first !== undefined) return first;
  const type = asObject(new Frame(data, null, data, 0).json())?.['type'];
  return typeof type === 'string' && NAME.test(type) ? type : null;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** Line breaks in JSON are white space between its values. */
function onOneLine(json: Buffer): void {
  for (const lineBreak of [LF, CR])
    for (let at = json.indexOf(lineBreak); at !== -1; at = json.indexOf(lineBreak, at + 1)) json[at] = SPACE;
}
