/** Encrypts and decrypts large bytes a part at a time, in turns of the event loop: calls run in between. The result is the same as in one step. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What takes a millisecond or less; shorter bytes are done in one step. */
export const CIPHER_TURN_BYTES = 512 * 1024;

interface Updates {
  update(bytes: Uint8Array): Buffer;
}

/** Writes what `parts` come to into `into` from `at` on; returns where it ends. */
export async function updateInTurns(
  cipher: Updates,
  parts: readonly Uint8Array[],
  into: Buffer,
  at: number,
): Promise<number> {
  let end = at;
  let inTurn = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; from += CIPHER_TURN_BYTES) {
      const piece = part.subarray(from, from + CIPHER_TURN_BYTES);
      inTurn += piece.length;
      if (inTurn > CIPHER_TURN_BYTES) {
        await nextTurn();
        inTurn = piece.length;
      }
      end += cipher.update(piece).copy(into, end);
    }
  }
  return end;
}
