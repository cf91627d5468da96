/**
 * Server-sent events as bytes. A splitter cuts a stream into frames, copies only frames that straddle chunks, and keeps every byte: the
 * frames' bytes joined are the stream. Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Frame } from './frame.ts';
import type { FrameSplitter } from './frame-splitter.ts';
import { readFrame } from './sse-frame.ts';

export interface SseSplitterOptions {
  /** The longest frame accepted, in bytes. */
  readonly frameBytesMax?: number | undefined;
}

/** Of a frame, unless more is expected. */
export const FRAME_BYTES_MAX = 1024 * 1024;
const LF = 0x0a;
const CR = 0x0d;

// The position of the stream within its lines between two chunks.
const LINE_START = 0;
const IN_LINE = 1;
/** The last byte was a CR that ended a line; an LF that follows belongs to it. */
const AFTER_CR = 2;
/** As above, and the line was blank: the frame is complete with or without the LF. */
const AFTER_BLANK_CR = 3;

/** Cuts one stream into frames. A blank line ends a frame, even an empty one. */
export class SseSplitter implements FrameSplitter {
  readonly #frameBytesMax: number;
  #state = LINE_START;
  /** Whether the last line ended in CR LF, presumed until one has ended: a CR that ends a chunk then waits for its LF. */
  #crLf = true;
  #atStreamStart = true;
  /** The beginning of an incomplete frame, with spare space. */
  #held: Buffer = NOTHING;
  #heldBytes = 0;
  /** In the current chunk: where the searches for line ends last stopped; -1 if there are none left. */
  #lineFeed = -2;
  #carriageReturn = -2;

  get heldBytes(): number {
    return this.#heldBytes === 0 ? 0 : this.#held.length;
  }

  constructor(options: SseSplitterOptions = {}) {
    this.#frameBytesMax = options.frameBytesMax ?? FRAME_BYTES_MAX;
  }

  /**
   * The frames that this chunk completes, as views of the chunk where they lie within it. The chunk must not be written to afterwards.
   * Throws `bad_gateway` when a frame is too large.
   *
   * A CR that ends a blank line and a chunk ends its frame immediately, unless the stream has been using CR LF; if an LF follows
   * nevertheless, the next frame's bytes begin with it.
   */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    this.#lineFeed = -2;
    this.#carriageReturn = -2;
    let start = 0;
    while (start < chunk.length || this.#state === AFTER_BLANK_CR) {
      const end = this.#findFrameEnd(chunk, start);
      if (end === -1) break;
      frames.push(this.#cut(chunk, start, end));
      start = end;
    }
    if (start < chunk.length) this.#hold(chunk, start, chunk.length);
    return frames;
  }

  /** Whether the next byte begins a frame other than the first: whole frames may then bypass the splitter. */
  get isBetweenFrames(): boolean {
    return this.#heldBytes === 0 && this.#state === LINE_START && !this.#atStreamStart;
  }

  /**
   * To be called when the stream has ended: returns the bytes of an incomplete frame, empty when there is none. A frame that waits for its
   * LF is incomplete.
   */
  end(): Buffer {
    const rest = this.#held.subarray(0, this.#heldBytes);
    this.#held = NOTHING;
    this.#heldBytes = 0;
    return rest;
  }

  #cut(chunk: Buffer, start: number, end: number): Frame {
    let raw: Buffer;
    if (this.#heldBytes === 0) {
      raw = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
      if (raw.length > this.#frameBytesMax) throw this.#tooLarge();
    } else {
      this.#hold(chunk, start, end);
      raw = this.#held.subarray(0, this.#heldBytes);
      this.#held = NOTHING;
      this.#heldBytes = 0;
    }
    const frame = readFrame(raw, this.#atStreamStart);
    this.#atStreamStart = false;
    return frame;
  }

  #hold(chunk: Buffer, start: number, end: number): void {
    const bytes = this.#heldBytes + end - start;
    if (bytes > this.#frameBytesMax) throw this.#tooLarge();
    if (bytes > this.#held.length) {
      // Doubling keeps the cost of a long frame that arrives in small pieces linear.
      const grown = Buffer.allocUnsafe(Math.max(bytes, Math.min(2 * bytes, this.#frameBytesMax)));
      this.#held.copy(grown, 0, 0, this.#heldBytes);
      this.#held = grown;
    }
    chunk.copy(this.#held, this.#heldBytes, start, end);
    this.#heldBytes = bytes;
  }

  /** Where the frame that continues at `start` ends (exclusive), or -1 when this chunk does not end it. */
  #findFrameEnd(chunk: Buffer, start: number): number {
    let at = start;
    if (this.#state >= AFTER_CR && at < chunk.length) {
      const blank = this.#state === AFTER_BLANK_CR;
      this.#crLf = chunk[at] === LF;
      if (this.#crLf) at++;
      this.#state = LINE_START;
      if (blank) return at;
    }
    let lineFeed = this.#lineFeed;
    let carriageReturn = this.#carriageReturn;
    while (at < chunk.length) {
      const first = chunk[at];
      if (this.#state === LINE_START && first === LF) return at + 1;
      if (this.#state === LINE_START && first === CR) return this.#endBlankLine(chunk, at);
      // Each search is repeated only once its last hit has been passed, so that all searches together read the chunk once.
      if (lineFeed !== -1 && lineFeed < at) this.#lineFeed = lineFeed = chunk.indexOf(LF, at);
      if (carriageReturn !== -1 && carriageReturn < at) this.#carriageReturn = carriageReturn = chunk.indexOf(CR, at);
      if (lineFeed === -1 && carriageReturn === -1) {
        this.#state = IN_LINE;
        return -1;
      }
      this.#state = LINE_START;
      if (carriageReturn === -1 || (lineFeed !== -1 && lineFeed < carriageReturn)) {
        this.#crLf = false;
        at = lineFeed + 1;
      } else if (carriageReturn + 1 === chunk.length) {
        this.#state = AFTER_CR;
        return -1;
      } else {
        this.#crLf = chunk[carriageReturn + 1] === LF;
        at = carriageReturn + (this.#crLf ? 2 : 1);
      }
    }
    return -1;
  }

  #endBlankLine(chunk: Buffer, carriageReturn: number): number {
    if (carriageReturn + 1 < chunk.length) {
      this.#crLf = chunk[carriageReturn + 1] === LF;
      return carriageReturn + (this.#crLf ? 2 : 1);
    }
    this.#state = this.#crLf ? AFTER_BLANK_CR : AFTER_CR;
    return this.#crLf ? -1 : carriageReturn + 1;
  }

  #tooLarge(): GatewayError {
    return new GatewayError('bad_gateway', {
      message: `The provider sent a stream event of more than ${this.#frameBytesMax} bytes.`,
    });
  }
}

const NOTHING = Buffer.alloc(0);
const LINE_BREAK = /\r\n|\r|\n/;

/** One event. Lines of `data` become lines of the event, so CR and CR LF in it arrive as LF. */
export function encodeSse(event: string | null, data: string): Buffer {
  assert(event === null || !LINE_BREAK.test(event), 'the name of an event is one line');
  const head = event === null ? '' : `event: ${event}\n`;
  if (!LINE_BREAK.test(data)) return Buffer.from(`${head}data: ${data}\n\n`);
  const lines = data.split(LINE_BREAK).map((line) => `data: ${line}\n`);
  return Buffer.from(`${head}${lines.join('')}\n`);
}

/** A comment, which every reader skips: it keeps an idle stream alive. */
export function sseComment(text: string): Buffer {
  assert(!LINE_BREAK.test(text), 'a comment is one line');
  return Buffer.from(`: ${text}\n\n`);
}
