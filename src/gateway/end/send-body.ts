/** Sends the body of a whole answer. */
import type { ServerResponse } from 'node:http';
import { bytesOf, textOf, type WholeBody } from '../../core/body.ts';

/** Ends a response with a body; a large one is written a piece at a time, and `awaitDelivery` waits for the rest. */
export function sendBody(response: ServerResponse, body: WholeBody): void {
  // Node sends a string together with the head in one write; a buffer takes a second one.
  if (body.length <= TEXT_BYTES_MAX) return void response.end(textOf(body), 'latin1');
  const bytes = bytesOf(body);
  if (bytes.length <= PIECE_BYTES) return void response.end(bytes);
  let at = 0;
  const writeOn = () => {
    while (bytes.length - at > PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      at += PIECE_BYTES;
      if (!response.write(piece)) return;
    }
    response.off('drain', writeOn).end(bytes.subarray(at));
  };
  response.on('drain', writeOn);
  writeOn();
}

/** Node counts a write only when it is complete, so progress is visible in pieces of this size. */
const PIECE_BYTES = 64 * 1024;
/** For a longer string, copying costs more than a second write. */
const TEXT_BYTES_MAX = 16 * 1024;
