import { findLargeTexts, parseAround } from '../large-texts.ts';

/** One message of a provider's stream, whatever its framing: an event of server-sent events, a message of an event stream, an item of an array. */
export class Frame {
  /** All of its bytes, framing included. */
  readonly bytes: Buffer;
  /** Its event type, in server-sent events the `event:` field; null if that is absent or empty. */
  readonly event: string | null;
  /** Its payload; null if it has none (a comment, an event without data). */
  readonly data: Buffer | null;
  /** Where `data` starts in `bytes` if it is contiguous there; otherwise -1. Edits splice there. */
  readonly dataStart: number;
  #json: unknown = UNREAD;

  constructor(bytes: Buffer, event: string | null, data: Buffer | null, dataStart: number) {
    this.bytes = bytes;
    this.event = event;
    this.data = data;
    this.dataStart = dataStart;
  }

  /** The data as JSON; undefined if it is not JSON. It is parsed once and shared: do not change what it returns. */
  json(): unknown {
    if (this.#json === UNREAD) this.#json = this.data === null ? undefined : parse(this.data);
    return this.#json;
  }
}

/** Not a JSON value. */
const UNREAD = Symbol('unread');

/** From this length on most of it is an image, which a parser would read character by character. */
const LARGE_BYTES = 1024 * 1024;

function parse(data: Buffer): unknown {
  try {
    return data.length > LARGE_BYTES ? parseAround(data, findLargeTexts(data)) : JSON.parse(data.toString());
  } catch {
    // Not swallowed: JSON has no undefined, so undefined says that it is not JSON.
    return undefined;
  }
}
