/**
 * How bytes are read from a provider. By default, Node allocates 64 KiB for every read, however few bytes arrive, copies them
 * into a buffer of their size and drops the first one. With `onread`, all sockets read into one buffer, from which each read
 * is copied once. https://nodejs.org/api/net.html#new-netsocketoptions
 */
import type { Socket } from 'node:net';

/** A socket stops reading while this much is waiting to be consumed; a stalled stream holds little more than one read. */
const READ_AHEAD_BYTES = 16 * 1024;
/** What Node reads at once by default. */
const READ_BYTES_MAX = 64 * 1024;

/** Each read is copied before the next read of any socket begins. */
const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES_MAX);

/** Node calls it as a method of the socket. Returns whether the socket may continue reading. */
function take(this: Socket, length: number): boolean {
  // Unpooled: a slice of a pool that a slow caller has not consumed would keep the whole pool in memory.
  const bytes = Buffer.allocUnsafeSlow(length);
  readBuffer.copy(bytes, 0, 0, length);
  return this.push(bytes);
}

/** For `net.connect` and `tls.connect`. */
export const READING = { highWaterMark: READ_AHEAD_BYTES, onread: { buffer: readBuffer, callback: take } };
