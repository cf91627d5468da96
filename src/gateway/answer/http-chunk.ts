/** Chunks of HTTP/1.1 as they go over the wire: https://www.rfc-editor.org/rfc/rfc9112.html#section-7.1 */
import type { Socket } from 'node:net';

/** Where the bytes of a chunk begin in its buffer: up to eight digits and a line break precede them. */
export const CHUNK_START = 10;
/** The line break after them. */
const END_BYTES = 2;
const SCRATCH_BYTES = 4096;

/** The bytes as a chunk, in a separate buffer. */
export function httpChunk(bytes: Buffer): Buffer {
  const memory = Buffer.allocUnsafeSlow(CHUNK_START + bytes.length + END_BYTES);
  memory.set(bytes, CHUNK_START);
  return closeChunk(memory, bytes.length);
}

/**
 * The kernel nearly always takes a small chunk immediately, so all callers' chunks are built in one buffer, which stays in
 * the processor's cache. Fresh memory for each would cost more than everything else that is done to a chunk.
 */
export class ChunkScratch {
  #memory = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  /** Bytes are written into it from `CHUNK_START` to its end; it keeps nothing from one turn of the event loop to the next. */
  bytes = this.#memory.subarray(0, -END_BYTES);

  /** Sends the first `length` bytes as a chunk. */
  send(socket: Socket, length: number): void {
    socket.write(closeChunk(this.#memory, length));
    // The kernel did not take all of it: the socket owns the memory now.
    if (socket.writableLength > 0) this.#renew();
  }

  #renew(): void {
    this.#memory = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    this.bytes = this.#memory.subarray(0, -END_BYTES);
  }
}

/** Adds the length before, and the line breaks around, the bytes from `CHUNK_START` on. */
function closeChunk(memory: Buffer, length: number): Buffer {
  const end = CHUNK_START + length;
  let start = CHUNK_START - END_BYTES;
  memory[start] = CR;
  memory[start + 1] = LF;
  memory[end] = CR;
  memory[end + 1] = LF;
  let rest = length;
  do {
    start -= 1;
    memory[start] = hexDigit(rest & 0xf);
    rest >>>= 4;
  } while (rest !== 0);
  return memory.subarray(start, end + END_BYTES);
}

const CR = 0x0d;
const LF = 0x0a;

function hexDigit(value: number): number {
  return value < 10 ? 0x30 + value : 0x57 + value;
}
