/**
 * Reads the answers of one keep-alive HTTP/1.1 connection, as cheaply as JavaScript can: the load
 * generator shares its core with the backend, and whatever it wastes lowers the load it can offer.
 * Knows `content-length` and `chunked`, which is all that any subject sends. A malformed answer
 * throws: a benchmark that continues after one measures nothing.
 */
export interface AnswerEvents {
  /** The head is complete. */
  head(status: number): void;
  /** Bytes of the body without the chunk framing; valid only during the call. */
  body(bytes: Buffer): void;
  end(): void;
}

type State = 'head' | 'sized' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer';

export class AnswerReader {
  readonly #events: AnswerEvents;
  #state: State = 'head';
  /** Bytes of a head or a size line that was split between packets. */
  #rest: Buffer | null = null;
  #remaining = 0;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  push(packet: Buffer): void {
    let bytes = packet;
    if (this.#rest !== null) {
      bytes = Buffer.concat([this.#rest, packet]);
      this.#rest = null;
    }
    let offset = 0;
    while (offset < bytes.length) {
      const next = this.#step(bytes, offset);
      if (next === -1) {
        this.#rest = Buffer.from(bytes.subarray(offset));
        return;
      }
      offset = next;
    }
  }

  /** Takes one element at `offset`; returns where the next one starts, or -1 if it is not complete yet. */
  #step(bytes: Buffer, offset: number): number {
    switch (this.#state) {
      case 'head':
        return this.#head(bytes, offset);
      case 'sized':
        return this.#data(bytes, offset, 'head');
      case 'chunk-size':
        return this.#chunkSize(bytes, offset);
      case 'chunk-data':
        return this.#data(bytes, offset, 'chunk-end');
      case 'chunk-end':
        if (bytes.length - offset < 2) return -1;
        this.#state = 'chunk-size';
        return offset + 2;
      case 'trailer':
        if (bytes.length - offset < 2) return -1;
        if (bytes[offset] !== CARRIAGE_RETURN) throw new Error('an answer has trailers, which no subject sends');
        this.#finish();
        return offset + 2;
    }
  }

  #head(bytes: Buffer, offset: number): number {
    const end = bytes.indexOf('\r\n\r\n', offset, 'latin1');
    if (end === -1) return -1;
    const head = bytes.toString('latin1', offset, end).toLowerCase();
    if (!head.startsWith('http/1.1 ')) throw new Error(`not an HTTP/1.1 answer: ${head.slice(0, 40)}`);
    const after = end + 4;
    this.#events.head(Number(head.slice(9, 12)));
    const lengthAt = head.indexOf('\r\ncontent-length:');
    if (lengthAt !== -1) {
      this.#remaining = Number.parseInt(head.slice(lengthAt + 17), 10);
      if (this.#remaining === 0) this.#finish();
      else this.#state = 'sized';
    } else if (head.includes('\r\ntransfer-encoding: chunked')) {
      this.#state = 'chunk-size';
    } else {
      throw new Error('an answer has neither content-length nor chunked framing');
    }
    return after;
  }

  #chunkSize(bytes: Buffer, offset: number): number {
    const end = bytes.indexOf('\r\n', offset, 'latin1');
    if (end === -1) return -1;
    this.#remaining = Number.parseInt(bytes.toString('latin1', offset, end), 16);
    if (Number.isNaN(this.#remaining)) throw new Error('a chunk has no size');
    this.#state = this.#remaining === 0 ? 'trailer' : 'chunk-data';
    return end + 2;
  }

  #data(bytes: Buffer, offset: number, whenDone: 'head' | 'chunk-end'): number {
    const end = Math.min(bytes.length, offset + this.#remaining);
    this.#remaining -= end - offset;
    this.#events.body(bytes.subarray(offset, end));
    if (this.#remaining === 0) {
      if (whenDone === 'head') this.#finish();
      else this.#state = whenDone;
    }
    return end;
  }

  #finish(): void {
    this.#state = 'head';
    this.#events.end();
  }
}

const CARRIAGE_RETURN = 13;
