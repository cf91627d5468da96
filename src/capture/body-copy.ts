/**
 * Collects the bytes of a body, up to a limit. A body in one piece is referenced; several pieces are
 * copied, because a piece may be a small part of a large buffer and would keep all of it in memory.
 */
const NO_BYTES = Buffer.alloc(0);
const CAPACITY_MIN = 4096;

export class BodyCopy {
  readonly #bytesMax: number;
  #bytes: Buffer = NO_BYTES;
  #filled = 0;
  /** Whether `#bytes` is our own buffer and may be written to. */
  #isOwn = false;
  #isTruncated = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(bytes: Buffer): void {
    if (this.#isTruncated || bytes.length === 0) return;
    const left = this.#bytesMax - this.#filled;
    if (bytes.length > left) this.#isTruncated = true;
    const taken = bytes.length > left ? bytes.subarray(0, left) : bytes;
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

  /** Whether the body was longer than the limit. */
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
