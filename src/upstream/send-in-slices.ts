/**
 * Sends a large request body a piece at a time. The operating system would accept megabytes at once, and copying them would
 * block the event loop; so it turns once after each piece.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Body } from '../core/body.ts';

/** Bytes written in one turn of the event loop, and the largest body that is written at once. */
export const TURN_BYTES = 128 * 1024;

/** The body in pieces of at most `TURN_BYTES`, not copied. The body itself is not changed, so that it can be sent again. */
export function sendInSlices(body: Body): Readable {
  return Readable.from(pieces(body));
}

async function* pieces(body: Body): AsyncGenerator<Buffer, void> {
  let written = 0;
  for (const part of Buffer.isBuffer(body) ? [body] : body) {
    for (let at = 0; at < part.length; ) {
      const piece = part.subarray(at, at + TURN_BYTES - written);
      at += piece.length;
      written += piece.length;
      yield piece;
      if (written < TURN_BYTES) continue;
      written = 0;
      await nextTurn();
    }
  }
}
