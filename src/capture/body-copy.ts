/**
 * What passed of a body, up to a size. Bytes that come in one piece are referred to; of those that come piece by piece
 * a copy is made, because a piece may be a small part of a large buffer and would keep all of it in memory.
 */
const NO_BYTES = Buffer.alloc(0);
const CAPACITY_MIN = 4096;

export class BodyCopy {
  readonly #bytesMax: number;
  #bytes: Buffer = NO_BYTES;
  #filled = 0;
  /** Whether `#bytes` is ours to write into. */
  #isOwn = false;
  #isTruncated = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(bytes: Buffer): void {
    if (this.#isTruncated || bytes.length === 0) return;
    const room = this.#bytesMax - this.#filled;
    if (bytes.length > room) this.#isTruncated = true;
    const taken = bytes.length > room ? bytes.subarray(0, room) : bytes;
    if (this.#filled === 0) this.#bytes = taken;
    else {
      this.#grow(this.#filled + taken.length);
      this.#bytes.set(taken, this.#filled);
    }
    this.#filled += taken.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#filled);
  }

  /** Whether more came than is kept. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  #grow(needed: number): void {
    if (this.#isOwn && needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#bytesMax, Math.max(needed, 2 * this.#filled, CAPACITY_MIN)));
    larger.set(this.#bytes.subarray(0, this.#filled));
    this.#bytes = larger;
    this.#isOwn = true;
  }
}
