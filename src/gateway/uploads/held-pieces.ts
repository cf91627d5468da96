/** The bytes of files between their arrival and their sending; kept after that, as long as they are few, for another attempt. */

/** Stands where a file ends. */
export const FILE_END = Symbol('the end of a file');

export class HeldPieces {
  /** All bytes that have arrived. */
  bytes = 0;
  /** Those in memory. */
  heldBytes = 0;
  /** Those in memory that the running attempt has not sent. */
  unsentBytes = 0;
  readonly #pieces: (Buffer | typeof FILE_END)[] = [];
  /** The place of the next piece to send. */
  #next = 0;
  #isKept = true;
  /** Small pieces are copied into one: each would take more memory than it has bytes. */
  #block: Buffer = NO_BYTES;
  #blockStart = 0;
  #blockEnd = 0;

  /** Whether all bytes can be sent again. */
  get isWhole(): boolean {
    return this.#isKept;
  }

  add(piece: Buffer): void {
    if (piece.length < SMALL_BYTES) this.#addSmall(piece);
    else this.#pieces.push(piece);
    this.bytes += piece.length;
    this.heldBytes += piece.length;
    this.unsentBytes += piece.length;
  }

  endFile(): void {
    this.#pieces.push(FILE_END);
  }

  #addSmall(piece: Buffer): void {
    const last = this.#pieces.length - 1;
    const grows = last >= this.#next && this.#isBlock(this.#pieces[last]);
    if (this.#blockEnd + piece.length > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#blockStart = this.#blockEnd = 0;
    } else if (!grows) this.#blockStart = this.#blockEnd;
    const isNew = this.#blockEnd === this.#blockStart;
    piece.copy(this.#block, this.#blockEnd);
    this.#blockEnd += piece.length;
    const view = this.#block.subarray(this.#blockStart, this.#blockEnd);
    if (isNew) this.#pieces.push(view);
    else this.#pieces[last] = view;
  }

  /** Whether it is the end of what was copied. */
  #isBlock(piece: Buffer | typeof FILE_END | undefined): boolean {
    return typeof piece === 'object' && piece.buffer === this.#block.buffer;
  }

  /** Null if all that arrived is sent. */
  take(): Buffer | typeof FILE_END | null {
    const piece = this.#pieces[this.#next];
    if (piece === undefined) return null;
    this.unsentBytes -= lengthOf(piece);
    if (this.#isKept) this.#next += 1;
    else {
      this.#pieces.shift();
      this.heldBytes -= lengthOf(piece);
    }
    return piece;
  }

  /** Only for as long as it is whole. */
  rewind(): void {
    this.#next = 0;
    this.unsentBytes = this.heldBytes;
  }

  /** What was sent is no longer kept, and neither is what will be. */
  drop(): void {
    this.#isKept = false;
    for (const piece of this.#pieces.splice(0, this.#next)) this.heldBytes -= lengthOf(piece);
    this.#next = 0;
  }
}

function lengthOf(piece: Buffer | typeof FILE_END): number {
  return piece === FILE_END ? 0 : piece.length;
}

const NO_BYTES = Buffer.alloc(0);
const SMALL_BYTES = 4 * 1024;
const BLOCK_BYTES = 16 * 1024;
