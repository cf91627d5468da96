/**
 * Reads a multipart body as it arrives, in any pieces: https://www.rfc-editor.org/rfc/rfc2046#section-5.1. It reads each byte once and keeps none
 * but the head of the part that is arriving, so its memory does not depend on the body. It takes only what clients write: no text before
 * the first part or after the last one, no blanks after a boundary.
 */
import { GatewayError } from '../../core/errors.ts';

/** Gets the parts in turn; what it throws ends the reading. */
export interface PartSink {
  /** A part begins: its header lines, without the empty line that ends them. */
  begin(head: Buffer): void;
  /** Some of its bytes: a view of what was fed. */
  data(bytes: Buffer): void;
  end(): void;
}

/** Of the headers of a part, bytes. */
export const HEAD_BYTES_MAX = 8 * 1024;
/** Line breaks after the last boundary. */
const REST_BYTES_MAX = 64;

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;

type State = 'boundary' | 'after-boundary' | 'head' | 'body' | 'over';

export class MultipartReader {
  readonly #sink: PartSink;
  /** The line break before it belongs to the boundary. */
  readonly #boundary: Buffer;
  #state: State = 'boundary';
  /** How many bytes of the boundary have arrived, at the start as if after a line break. */
  #matched = 2;
  /** The byte after a boundary that another one has to follow; 0 before it. */
  #mark = 0;
  readonly #head = Buffer.allocUnsafe(HEAD_BYTES_MAX);
  #headBytes = 0;
  #restBytes = 0;

  /** `boundary`: as the content type states it. */
  constructor(boundary: string, sink: PartSink) {
    this.#sink = sink;
    this.#boundary = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Throws `GatewayError` 400 for what is not multipart, and what the sink throws. */
  feed(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#step(chunk, at);
  }

  /** To be called at the end of the body. Throws `GatewayError` 400 if it is not complete. */
  finish(): void {
    if (this.#state !== 'over') throw malformed('it ends before its last boundary');
  }

  /** Returns where to go on. */
  #step(chunk: Buffer, at: number): number {
    switch (this.#state) {
      case 'boundary':
        return this.#first(chunk[at] as number, at);
      case 'after-boundary':
        return this.#afterBoundary(chunk[at] as number, at);
      case 'head':
        return this.#headByte(chunk[at] as number, at);
      case 'body':
        return this.#matched > 0 ? this.#goOnMatching(chunk, at) : this.#search(chunk, at);
      case 'over':
        return this.#rest(chunk[at] as number, at);
    }
  }

  /** A line break may come before it. */
  #first(byte: number, at: number): number {
    if (this.#matched === 2 && byte === CR) this.#matched = 0;
    if (byte !== this.#boundary[this.#matched])
      throw malformed('it does not begin with the boundary that its content-type states');
    this.#matched += 1;
    if (this.#matched === this.#boundary.length) this.#passBoundary();
    return at + 1;
  }

  #passBoundary(): void {
    this.#matched = 0;
    this.#mark = 0;
    this.#state = 'after-boundary';
  }

  #afterBoundary(byte: number, at: number): number {
    if (this.#mark === 0 && (byte === CR || byte === DASH)) this.#mark = byte;
    else if (this.#mark === CR && byte === LF) {
      this.#headBytes = 0;
      this.#state = 'head';
    } else if (this.#mark === DASH && byte === DASH) this.#state = 'over';
    else throw malformed('its boundary occurs inside a part, or is followed by something else than a line break');
    return at + 1;
  }

  #headByte(byte: number, at: number): number {
    const head = this.#head;
    if (this.#headBytes === HEAD_BYTES_MAX)
      throw malformed(`the headers of a part are longer than ${HEAD_BYTES_MAX} bytes`);
    head[this.#headBytes] = byte;
    this.#headBytes += 1;
    if (byte === LF && this.#endsHead()) {
      this.#state = 'body';
      // A copy, because the next part's head is written to the same place.
      this.#sink.begin(Buffer.from(head.subarray(0, Math.max(0, this.#headBytes - 4))));
    }
    return at + 1;
  }

  /** Whether the line that has just ended is empty. */
  #endsHead(): boolean {
    const head = this.#head;
    const end = this.#headBytes;
    if (head[end - 2] !== CR) return false;
    return end === 2 || (head[end - 3] === LF && head[end - 4] === CR);
  }

  /** The last bytes were the beginning of a boundary, or of something like it. */
  #goOnMatching(chunk: Buffer, start: number): number {
    const boundary = this.#boundary;
    let at = start;
    while (at < chunk.length && this.#matched < boundary.length && chunk[at] === boundary[this.#matched]) {
      at += 1;
      this.#matched += 1;
    }
    if (this.#matched === boundary.length) {
      this.#sink.end();
      this.#passBoundary();
    } else if (at < chunk.length) {
      // Only its first byte is a carriage return, so no other boundary begins in what was matched.
      this.#sink.data(boundary.subarray(0, this.#matched));
      this.#matched = 0;
    }
    return at;
  }

  #search(chunk: Buffer, at: number): number {
    const found = chunk.indexOf(this.#boundary, at);
    const end = found === -1 ? this.#beginningOfBoundary(chunk, at) : found;
    if (end > at) this.#sink.data(chunk.subarray(at, end));
    if (found === -1) {
      this.#matched = chunk.length - end;
      return chunk.length;
    }
    this.#sink.end();
    this.#passBoundary();
    return found + this.#boundary.length;
  }

  /** Where a boundary may begin that the next piece goes on with; otherwise the end. */
  #beginningOfBoundary(chunk: Buffer, start: number): number {
    const first = Math.max(start, chunk.length - this.#boundary.length + 1);
    const last = chunk.subarray(first).lastIndexOf(CR);
    if (last === -1) return chunk.length;
    const at = first + last;
    return chunk.subarray(at).equals(this.#boundary.subarray(0, chunk.length - at)) ? at : chunk.length;
  }

  #rest(byte: number, at: number): number {
    this.#restBytes += 1;
    if ((byte !== CR && byte !== LF) || this.#restBytes > REST_BYTES_MAX)
      throw malformed('something follows its last boundary');
    return at + 1;
  }
}

/** `what` continues the sentence; it never quotes the body. */
export function malformed(what: string): GatewayError {
  return new GatewayError('invalid_value', { message: `The request body is not valid multipart/form-data: ${what}.` });
}
