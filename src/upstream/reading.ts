/**
 * How bytes come in from a provider. By itself Node makes 64 KiB of memory for every read, however few
 * bytes it brings, copies them into memory of their size and lets go of the first; with `onread` all
 * sockets read into one place, from which each read is copied once.
 * https://nodejs.org/api/net.html#new-netsocketoptions
 */
import type { Socket } from 'node:net';

/** A socket reads no further while this much waits to be taken; a stalled stream holds little more than one read. */
const READ_AHEAD_BYTES = 16 * 1024;
/** As much as Node reads at once by itself. */
const READ_BYTES_MAX = 64 * 1024;

/** Every read is over, and copied, before the next one of any socket begins. */
const place = Buffer.allocUnsafeSlow(READ_BYTES_MAX);

/** Node calls it as a method of the socket. Returns whether the socket may read on. */
function take(this: Socket, length: number): boolean {
  // Of its own: a slice of shared memory that a slow caller has not taken would keep all of that memory.
  const bytes = Buffer.allocUnsafeSlow(length);
  place.copy(bytes, 0, 0, length);
  return this.push(bytes);
}

/** For `net.connect` and `tls.connect`. */
export const READING = { highWaterMark: READ_AHEAD_BYTES, onread: { buffer: place, callback: take } };
