/**
 * Writes the body of a streamed answer to the caller. Node's `response.write` makes three pieces of a chunk (its length, its
 * bytes, its end), keeps them until the next tick and writes them with `writev`; that costs more than everything else that is
 * done to a small event. Here a chunk is one buffer and one write to the socket, whenever that is the same on the wire; head,
 * end and every unusual state are left to Node.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { assert } from '../../core/assert.ts';
import { CHUNK_START, ChunkScratch, httpChunk } from './http-chunk.ts';

export class StreamBody {
  readonly #response: ServerResponse;
  readonly #onTaken: () => void;
  /** Whether the head is sent or queued in Node, so that a chunk written directly comes after it. */
  #headSent = false;

  /** `onTaken` is called when the caller resumes reading after a `write` that returned false; sometimes at other times too. */
  constructor(response: ServerResponse, onTaken: () => void) {
    this.#response = response;
    this.#onTaken = onTaken;
    response.on('drain', onTaken);
  }

  /** Sends the head passed to `writeHead` without waiting for a chunk. */
  flushHead(): void {
    this.#headSent = true;
    this.#response.flushHeaders();
  }

  /**
   * Accepts all of the bytes; to be called after `writeHead`. False asks to wait until they are taken before writing more.
   *
   * If bytes of an earlier turn are still waiting, the caller's buffers are full. What is added then is the last for now, and
   * is copied: a view would keep the whole read buffer in memory.
   */
  write(bytes: Buffer): boolean {
    const { socket } = this.#response;
    const isLagging = socket !== null && hasBacklog(socket);
    if (socket === null || !this.#isOpenTo(socket)) return this.#writeByNode(bytes, isLagging);
    if (bytes.length === 0) return true;
    if (isLagging || bytes.length >= socket.writableHighWaterMark) {
      socket.write(httpChunk(bytes), this.#onTaken);
      return false;
    }
    if (CHUNK_START + bytes.length > shared.bytes.length) socket.write(httpChunk(bytes));
    else {
      shared.bytes.set(bytes, CHUNK_START);
      shared.send(socket, bytes.length);
    }
    return true;
  }

  /**
   * The buffer for a small chunk's bytes, from `CHUNK_START` on, which `sendScratch` sends immediately; null if only `write`
   * is possible.
   */
  scratch(): Buffer | null {
    const { socket } = this.#response;
    return socket === null || hasBacklog(socket) || !this.#isOpenTo(socket) ? null : shared.bytes;
  }

  /** Sends `length` bytes that were written into the scratch memory. */
  sendScratch(length: number): void {
    const { socket } = this.#response;
    assert(socket !== null, 'nothing happens between scratch() and this');
    shared.send(socket, length);
  }

  /** Ends the answer, with its last bytes if there are any: both in one packet. */
  end(last: Buffer | null): void {
    const { socket } = this.#response;
    if (last === null) this.#response.end();
    else this.#response.end(socket !== null && hasBacklog(socket) ? copyOf(last) : last);
  }

  /** Stops waiting for the caller. */
  release(): void {
    this.#response.off('drain', this.#onTaken);
  }

  /**
   * Whether a chunk may be written directly to the socket, which the response has only while it is its turn on the
   * connection: the head is sent, nothing is corked (Node corks its own writes for a tick), the caller accepts chunks
   * (HTTP/1.0 does not) and has not closed its side.
   */
  #isOpenTo(socket: Socket): boolean {
    const response = this.#response;
    return this.#headSent && response.writableCorked === 0 && response.chunkedEncoding && socket.writable;
  }

  #writeByNode(bytes: Buffer, isLagging: boolean): boolean {
    this.#headSent = true;
    if (!isLagging) return this.#response.write(bytes);
    this.#response.write(copyOf(bytes), this.#onTaken);
    return false;
  }
}

const shared = new ChunkScratch();

/**
 * Whether bytes of an earlier turn are still waiting. (Within a turn, Node corks the socket to collect writes; that is not a
 * delay.)
 */
function hasBacklog(socket: Socket): boolean {
  return socket.writableLength > 0 && socket.writableCorked === 0;
}

/** Unpooled: a slice of Node's pool would keep the whole slab alive. */
const ownMemory = Buffer.allocUnsafeSlow;

function copyOf(bytes: Buffer): Buffer {
  const copy = ownMemory(bytes.length);
  bytes.copy(copy);
  return copy;
}
