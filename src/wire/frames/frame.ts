/** One message of a provider's stream, whatever its framing: an event of server-sent events, a message of an event stream, an item of an array. */
export class Frame {
  /** All of its bytes, with what frames them. */
  readonly bytes: Buffer;
  /** What kind it says it is, in server-sent events its `event:` field; null where that is absent or empty. */
  readonly event: string | null;
  /** What it carries, or null when that is nothing (a comment, a bare event). */
  readonly data: Buffer | null;
  /** Where `data` starts in `bytes` when it lies there in one piece; -1 otherwise. An edit splices there. */
  readonly dataStart: number;
  #json: unknown = UNREAD;

  constructor(bytes: Buffer, event: string | null, data: Buffer | null, dataStart: number) {
    this.bytes = bytes;
    this.event = event;
    this.data = data;
    this.dataStart = dataStart;
  }

  /** The data as JSON, undefined where it is none. It is parsed once, whoever asks: nobody may change what it gives. */
  json(): unknown {
    if (this.#json === UNREAD) this.#json = this.data === null ? undefined : parse(this.data);
    return this.#json;
  }
}

/** No value that JSON has. */
const UNREAD = Symbol('unread');

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    // Not swallowed: JSON has no undefined, so that says that it is none.
    return undefined;
  }
}
