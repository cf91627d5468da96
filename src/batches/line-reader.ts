/**
 * Cuts a file into its lines while it is read, one at a time: a line is put together when it is asked for, and the file is read no further. Empty lines
 * are passed over, and not counted. A byte order mark before the first line is left out.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Where a line begins, so that reading can go on there. */
export interface LinePlace {
  /** Of the lines that count, from 0. */
  readonly number: number;
  /** Of all lines, from 1, as an editor shows it. */
  readonly shown: number;
  /** The chunk of the file, and where in it. */
  readonly chunk: number;
  readonly offset: number;
}

export interface InputLine {
  readonly place: LinePlace;
  /** Without its line break. */
  readonly bytes: Buffer;
}

export const FIRST_LINE: LinePlace = { number: 0, shown: 1, chunk: 0, offset: 0 };

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  readonly place: LinePlace;

  constructor(place: LinePlace) {
    super('a line is too long');
    this.place = place;
  }
}

/** Chunks of a file, from a number on. */
export type ReadChunks = (from: number) => AsyncIterable<Buffer>;

export class LineReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #bytesMax: number;
  /** Of the next line. */
  #place: LinePlace;
  /** The chunk that is being read; empty before the first one. */
  #chunk: Buffer = Buffer.alloc(0);
  /** Its number; the one before the first chunk until that was read. */
  #number: number;
  #at = 0;
  #isFirst = true;
  #isOver = false;

  /** `bytesMax`: of the longest line. */
  constructor(read: ReadChunks, bytesMax: number, from: LinePlace = FIRST_LINE) {
    this.#chunks = read(from.chunk)[Symbol.asyncIterator]();
    this.#bytesMax = bytesMax;
    this.#place = from;
    this.#number = from.chunk - 1;
  }

  /** Null after the last line. Rejects with `LineTooLong`, and with the error of whoever reads the file. */
  async next(): Promise<InputLine | null> {
    for (;;) {
      const line = await this.#nextOfAny();
      if (line === null || !isBlank(line.bytes)) {
        if (line !== null) this.#advance(1);
        return line;
      }
      this.#advance(0);
    }
  }

  /** Reads no further. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#chunks.return?.();
  }

  #advance(counted: number): void {
    const { number, shown } = this.#place;
    this.#place = { number: number + counted, shown: shown + 1, chunk: this.#number, offset: this.#at };
  }

  async #nextOfAny(): Promise<InputLine | null> {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      if (this.#at === this.#chunk.length && !(await this.#readOn())) {
        if (length === 0) return null;
        return this.#lineOf(parts);
      }
      const end = this.#chunk.indexOf(LINE_FEED, this.#at);
      const part = this.#chunk.subarray(this.#at, end === -1 ? this.#chunk.length : end);
      length += part.length;
      if (length > this.#bytesMax) throw new LineTooLong(this.#place);
      if (part.length > 0) parts.push(part);
      this.#at = end === -1 ? this.#chunk.length : end + 1;
      if (end !== -1) return this.#lineOf(parts);
    }
  }

  #lineOf(parts: readonly Buffer[]): InputLine {
    const [only] = parts;
    const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
    return { place: this.#place, bytes: this.#place.shown === 1 ? withoutMark(bytes) : bytes };
  }

  /** False at the end of the file. */
  async #readOn(): Promise<boolean> {
    if (this.#isOver) return false;
    // However fast the file is read, calls run in between.
    await nextTurn();
    const { done, value } = await this.#chunks.next();
    if (done === true) {
      this.#isOver = true;
      return false;
    }
    this.#chunk = value;
    this.#number += 1;
    this.#at = this.#isFirst ? this.#place.offset : 0;
    this.#isFirst = false;
    return true;
  }
}

const LINE_FEED = 0x0a;

/** Editors of Windows write one. */
const BYTE_ORDER_MARK = Buffer.from('efbbbf', 'hex');

function withoutMark(bytes: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? bytes.subarray(length) : bytes;
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}
