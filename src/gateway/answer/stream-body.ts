/**
 * The body of a streamed answer on its way to the caller. Node's `response.write` makes three
 * pieces of a chunk (its length, its bytes, its end), keeps them until the next tick and hands
 * them over with `writev`; that costs more than all else that is done to a small event.
 * Here a chunk is one buffer and one write to the socket, wherever that is the same on the wire;
 * head, end and every unusual state are left to Node.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { assert } from '../../core/assert.ts';
import { CHUNK_START, ChunkScratch, httpChunk } from './http-chunk.ts';

export class StreamBody {
  readonly #response: ServerResponse;
  readonly #onTaken: () => void;
  /** Whether the head is out or goes with what Node keeps: a chunk that passes Node by comes behind it. */
  #headSent = false;

  /** `onTaken` is called when the caller reads on, after a `write` that said no; at times also without. */
  constructor(response: ServerResponse, onTaken: () => void) {
    this.#response = response;
    this.#onTaken = onTaken;
    response.on('drain', onTaken);
  }

  /** Sends the head that `writeHead` was given, without waiting for a chunk to go with it. */
  flushHead(): void {
    this.#headSent = true;
    this.#response.flushHeaders();
  }

  /**
   * Takes all of it, after `writeHead`. False asks to wait until it is taken before giving more.
   *
   * Where bytes of an earlier turn still wait for the caller, its own buffers are full. What joins
   * them is the last for now, and is copied: as a view it would keep all that was read with it.
   */
  write(bytes: Buffer): boolean {
    const { socket } = this.#response;
    const isBehind = socket !== null && lagsBehind(socket);
    if (socket === null || !this.#isOpenTo(socket)) return this.#writeByNode(bytes, isBehind);
    if (bytes.length === 0) return true;
    if (isBehind || bytes.length >= socket.writableHighWaterMark) {
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
   * Where the bytes of a small chunk may be put from `CHUNK_START` on, for `sendScratch` to send them at once; null where
   * only `write` takes them.
   */
  scratch(): Buffer | null {
    const { socket } = this.#response;
    return socket === null || lagsBehind(socket) || !this.#isOpenTo(socket) ? null : shared.bytes;
  }

  /** Sends so many bytes that were put into the scratch memory. */
  sendScratch(length: number): void {
    const { socket } = this.#response;
    assert(socket !== null, 'nothing happens between scratch() and this');
    shared.send(socket, length);
  }

  /** Ends the answer, with its last bytes if there are any: both in one packet. */
  end(last: Buffer | null): void {
    const { socket } = this.#response;
    if (last === null) this.#response.end();
    else this.#response.end(socket !== null && lagsBehind(socket) ? copyOf(last) : last);
  }

  /** Nothing is waited for any more. */
  release(): void {
    this.#response.off('drain', this.#onTaken);
  }

  /**
   * Whether nothing lies between the response and its socket, which it has only while it is its
   * turn on the connection: the head is out, nothing is corked (Node corks for a tick what it
   * writes itself), the caller takes chunks (HTTP/1.0 does not) and has not closed its side.
   */
  #isOpenTo(socket: Socket): boolean {
    const response = this.#response;
    return this.#headSent && response.writableCorked === 0 && response.chunkedEncoding && socket.writable;
  }

  #writeByNode(bytes: Buffer, isBehind: boolean): boolean {
    this.#headSent = true;
    if (!isBehind) return this.#response.write(bytes);
    this.#response.write(copyOf(bytes), this.#onTaken);
    return false;
  }
}

const shared = new ChunkScratch();

/** Whether bytes of an earlier turn still wait. (Within a turn Node corks the socket and gathers: that is no delay.) */
function lagsBehind(socket: Socket): boolean {
  return socket.writableLength > 0 && socket.writableCorked === 0;
}

/** Not of Node's pool, which would lend a part of a slab that others share, and keep all of it alive. */
const ownMemory = Buffer.allocUnsafeSlow;

function copyOf(bytes: Buffer): Buffer {
  const copy = ownMemory(bytes.length);
  bytes.copy(copy);
  return copy;
}
