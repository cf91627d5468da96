/** Cuts AWS's binary event stream into messages. Copies only those that straddle chunks, and keeps no more of one than its checked length. */
import { damagedFrame, messageLength, PRELUDE_BYTES, readMessage } from './event-stream-message.ts';
import type { Frame } from './frame.ts';
import type { FrameSplitter } from './frame-splitter.ts';

export interface EventStreamSplitterOptions {
  /** The longest message accepted, in bytes. */
  readonly frameBytesMax?: number;
}

/** A message that is damaged or too long becomes a frame with that error. It is the last one: where the next begins is not known. */
export class EventStreamSplitter implements FrameSplitter {
  /** Every message must be checked, so none may bypass the splitter. */
  readonly isBetweenFrames = false;
  readonly #frameBytesMax: number;
  /** The beginning of an incomplete message; its own length is that of the message, or of the prelude while that is incomplete. */
  #held: Buffer = NOTHING;
  #heldBytes = 0;
  #isDamaged = false;

  constructor({ frameBytesMax = FRAME_BYTES_MAX }: EventStreamSplitterOptions = {}) {
    this.#frameBytesMax = frameBytesMax;
  }

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    while (at < chunk.length && !this.#isDamaged) {
      at = this.#heldBytes === 0 ? this.#cut(chunk, at, frames) : this.#fill(chunk, at, frames);
    }
    return frames;
  }

  end(): Buffer {
    const rest = this.#held.subarray(0, this.#heldBytes);
    this.#held = NOTHING;
    this.#heldBytes = 0;
    return rest;
  }

  /** Cuts a message that begins at `at`, or holds its beginning. Returns where the chunk goes on. */
  #cut(chunk: Buffer, at: number, frames: Frame[]): number {
    const left = chunk.length - at;
    if (left < PRELUDE_BYTES) return this.#hold(chunk, at, PRELUDE_BYTES);
    const length = messageLength(chunk, at, this.#frameBytesMax);
    if (length === -1) return this.#fail(chunk, frames);
    if (left < length) return this.#hold(chunk, at, length);
    this.#read(at === 0 && left === length ? chunk : chunk.subarray(at, at + length), frames);
    return at + length;
  }

  /** Adds what the held message lacks, first of its prelude. */
  #fill(chunk: Buffer, at: number, frames: Frame[]): number {
    const copied = chunk.copy(this.#held, this.#heldBytes, at);
    this.#heldBytes += copied;
    if (this.#heldBytes < this.#held.length) return at + copied;
    const held = this.#held;
    if (held.length === PRELUDE_BYTES) {
      const length = messageLength(held, 0, this.#frameBytesMax);
      if (length === -1) return this.#fail(chunk, frames);
      this.#held = Buffer.allocUnsafe(length);
      held.copy(this.#held);
      return at + copied;
    }
    this.#held = NOTHING;
    this.#heldBytes = 0;
    this.#read(held, frames);
    return at + copied;
  }

  #hold(chunk: Buffer, at: number, length: number): number {
    this.#held = Buffer.allocUnsafe(length);
    this.#heldBytes = chunk.copy(this.#held, 0, at);
    return chunk.length;
  }

  #read(message: Buffer, frames: Frame[]): void {
    const frame = readMessage(message);
    if (frame === null) this.#fail(message, frames);
    else frames.push(frame);
  }

  #fail(chunk: Buffer, frames: Frame[]): number {
    this.#isDamaged = true;
    this.#held = NOTHING;
    this.#heldBytes = 0;
    frames.push(damagedFrame());
    return chunk.length;
  }
}

const NOTHING = Buffer.alloc(0);
const FRAME_BYTES_MAX = 1024 * 1024;
