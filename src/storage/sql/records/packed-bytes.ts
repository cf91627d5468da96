/**
 * Packs a sequence of values into few bytes, without names: a count takes 1 byte up to 127, 2 up to
 * 16,383. Reader and writer must agree on the order.
 */
import { assert } from '../../../core/assert.ts';

const SLAB_BYTES = 64 * 1024;
/** 53 bits, 7 per byte. */
const COUNT_BYTES_MAX = 8;
const LARGEST_COUNT = BigInt(Number.MAX_SAFE_INTEGER);
/** 64 bits. */
const AMOUNT_BYTES_MAX = 10;

export class PackedWriter {
  /** Many results share one slab; a full slab is left to its results. */
  #slab: Uint8Array = new Uint8Array(SLAB_BYTES);
  #start = 0;
  #at = 0;

  /** Discards what was written and not taken, for example because of an error. */
  begin(): void {
    this.#start = this.#at;
  }

  /** A non-negative integer that a double holds exactly. */
  count(value: number): void {
    assert(Number.isSafeInteger(value) && value >= 0, 'only whole numbers from 0 on are packed');
    this.#grow(COUNT_BYTES_MAX);
    let rest = value;
    while (rest >= 0x80) {
      this.#slab[this.#at] = (rest % 0x80) | 0x80;
      this.#at += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.#slab[this.#at] = rest;
    this.#at += 1;
  }

  /** Like a count, of any size. */
  amount(value: bigint): void {
    if (value <= LARGEST_COUNT) return this.count(Number(value));
    this.#grow(AMOUNT_BYTES_MAX);
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) {
      this.#slab[this.#at] = Number(rest & 0x7fn) | 0x80;
      this.#at += 1;
    }
    this.#slab[this.#at] = Number(rest);
    this.#at += 1;
  }

  text(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.count(bytes);
    this.#grow(bytes);
    if (bytes === text.length) {
      for (let index = 0; index < bytes; index += 1) this.#slab[this.#at + index] = text.charCodeAt(index);
    } else encoder.encodeInto(text, this.#slab.subarray(this.#at));
    this.#at += bytes;
  }

  /** What was written since the last `begin` or `take`. */
  take(): Uint8Array {
    const taken = this.#slab.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return taken;
  }

  #grow(bytes: number): void {
    if (this.#at + bytes <= this.#slab.length) return;
    const begun = this.#slab.subarray(this.#start, this.#at);
    this.#slab = new Uint8Array(Math.max(SLAB_BYTES, 2 * (begun.length + bytes)));
    this.#slab.set(begun);
    this.#start = 0;
    this.#at = begun.length;
  }
}

export class PackedReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  count(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#next();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** Whether all bytes are read: values packed by an earlier version end sooner. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  amount(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#next();
      value += BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const bytes = this.count();
    const from = this.#at;
    this.#at += bytes;
    if (this.#at > this.#bytes.length) throw new RangeError('packed bytes end too soon');
    return decoder.decode(this.#bytes.subarray(from, this.#at));
  }

  #next(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('packed bytes end too soon');
    this.#at += 1;
    return byte;
  }
}

const encoder = new TextEncoder();
/** Keeps a byte-order mark at the beginning of a text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
