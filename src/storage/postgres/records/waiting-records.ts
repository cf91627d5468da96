/** Records that are not in the database yet: oldest first, and limited in memory, of which an account has at most half of what the others leave. */
import { labelBytes } from '../../../core/call-labels.ts';
import { FairShares, type Share } from '../../../core/fair-shares.ts';
import type { CallRecord } from '../../../stats/ports.ts';

/** The rows of one transaction: packing them blocks the event loop for a millisecond or two. */
const CHUNK_ROWS = 256;
/** What a record takes without its texts, and an attempt of it: measured, rounded up. */
const RECORD_BYTES = 1_200;
const ATTEMPT_BYTES = 250;
const WAITING_BYTES_MAX = 256 * 1024 * 1024;

export class WaitingRecords {
  readonly #shares: FairShares;
  #records: (CallRecord | null)[] = [];
  /** The first one that waits: those before it are written. */
  #first = 0;

  constructor(bytesMax = WAITING_BYTES_MAX) {
    this.#shares = new FairShares(bytesMax);
  }

  get count(): number {
    return this.#records.length - this.#first;
  }

  /** False if there is no room, or its account has its share. */
  add(record: CallRecord): boolean {
    if (!this.#shareOf(record).takeOfAccount(bytesOf(record))) return false;
    this.#records.push(record);
    return true;
  }

  /** The newest record that `matches` accepts, or null. */
  find(matches: (record: CallRecord) => boolean): CallRecord | null {
    return this.#records.findLast((record) => record !== null && matches(record)) ?? null;
  }

  /** The oldest ones. */
  nextChunk(): readonly CallRecord[] {
    return this.#records.slice(this.#first, this.#first + CHUNK_ROWS) as CallRecord[];
  }

  /** Removes the oldest `count` records. */
  drop(count: number): void {
    for (let at = this.#first; at < this.#first + count; at += 1) {
      const record = this.#records[at] as CallRecord;
      this.#shareOf(record).give(bytesOf(record));
      this.#records[at] = null;
    }
    this.#first += count;
    // Moving the rest costs as much as what was removed, so all together stays linear.
    if (this.#first * 2 < this.#records.length) return;
    this.#records = this.#records.slice(this.#first);
    this.#first = 0;
  }

  #shareOf({ accountId }: CallRecord): Share {
    return this.#shares.of(accountId, accountId);
  }
}

function bytesOf({ attempts, warnings, labels, asked, upstreamId }: CallRecord): number {
  let characters = (asked?.length ?? 0) + (upstreamId?.length ?? 0);
  for (const warning of warnings) characters += warning.length;
  return RECORD_BYTES + ATTEMPT_BYTES * attempts.length + 2 * characters + (labels === null ? 0 : labelBytes(labels));
}
