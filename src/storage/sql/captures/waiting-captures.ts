/** Bodies that are not on disk yet: oldest first, with limited memory, of which an account has at most half of what the others leave. */

import type { SealedCapture } from '../../../capture/ports.ts';
import { assert } from '../../../core/assert.ts';
import { dayOf } from '../../../core/calendar.ts';
import { FairShares, type Share } from '../../../core/fair-shares.ts';
import { callIdTime } from '../../../core/ids.ts';

/** The size of one transaction, which blocks the event loop for a millisecond or two. */
const CHUNK_BYTES = 512 * 1024;
const CHUNK_ROWS = 64;
/** This much waits only while a file is locked, or the database is away. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

export class WaitingCaptures {
  #captures: SealedCapture[] = [];
  readonly #shares: FairShares;

  constructor(bytesMax = WAITING_BYTES_MAX) {
    this.#shares = new FairShares(bytesMax);
  }

  get count(): number {
    return this.#captures.length;
  }

  /** False if the queue is full, or its account has its share. */
  add(capture: SealedCapture): boolean {
    if (!this.#shareOf(capture).takeOfAccount(capture.sealed.length)) return false;
    this.#captures.push(capture);
    return true;
  }

  find(matches: (capture: SealedCapture) => boolean): SealedCapture | null {
    return this.#captures.find(matches) ?? null;
  }

  /** The oldest ones of one UTC day; empty if none is waiting. */
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

  /** Removes those that `matches` accepts; returns how many. */
  drop(matches: (capture: SealedCapture) => boolean): number {
    const before = this.#captures.length;
    this.#captures = this.#captures.filter((each) => {
      if (!matches(each)) return true;
      this.#shareOf(each).give(each.sealed.length);
      return false;
    });
    return before - this.#captures.length;
  }

  #shareOf({ accountId }: SealedCapture): Share {
    return this.#shares.of(accountId, accountId);
  }
}

/** The day of a chunk, all of whose calls are of one day. */
export function dayOfChunk(chunk: readonly SealedCapture[]): number {
  const [first] = chunk;
  assert(first !== undefined, 'a chunk has a row');
  return dayOf(callIdTime(first.callId));
}
