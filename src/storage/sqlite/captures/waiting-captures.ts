/** Kept bodies that are not on disk yet: oldest first, and bounded in what they take of memory. */

import type { SealedCapture } from '../../../capture/ports.ts';
import { assert } from '../../../core/assert.ts';
import { dayOf } from '../../../core/calendar.ts';
import { callIdTime } from '../../../core/ids.ts';

/** One transaction's worth: it keeps the event loop for a millisecond or two. */
const CHUNK_BYTES = 512 * 1024;
const CHUNK_ROWS = 64;
/** More than this is waiting only while a file is locked. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

export class WaitingCaptures {
  #captures: SealedCapture[] = [];
  #bytes = 0;

  get count(): number {
    return this.#captures.length;
  }

  /** False where there is no room for another one. */
  add(capture: SealedCapture): boolean {
    if (this.#bytes + capture.sealed.length > WAITING_BYTES_MAX) return false;
    this.#captures.push(capture);
    this.#bytes += capture.sealed.length;
    return true;
  }

  find(isMeant: (capture: SealedCapture) => boolean): SealedCapture | null {
    return this.#captures.find(isMeant) ?? null;
  }

  /** The oldest ones of one UTC day; none when nothing waits. */
  nextChunk(): readonly SealedCapture[] {
    const chunk: SealedCapture[] = [];
    let bytes = 0;
    for (const each of this.#captures) {
      if (chunk.length > 0 && dayOf(callIdTime(each.callId)) !== dayOfChunk(chunk)) break;
      chunk.push(each);
      bytes += each.sealed.length;
      if (bytes >= CHUNK_BYTES || chunk.length >= CHUNK_ROWS) break;
    }
    return chunk;
  }

  /** Lets go of those that are meant; returns how many. */
  drop(isMeant: (capture: SealedCapture) => boolean): number {
    const before = this.#captures.length;
    this.#captures = this.#captures.filter((each) => {
      if (!isMeant(each)) return true;
      this.#bytes -= each.sealed.length;
      return false;
    });
    return before - this.#captures.length;
  }
}

/** All of a chunk are of one day. */
export function dayOfChunk(chunk: readonly SealedCapture[]): number {
  const [first] = chunk;
  assert(first !== undefined, 'a chunk has a row');
  return dayOf(callIdTime(first.callId));
}
