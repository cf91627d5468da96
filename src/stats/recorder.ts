/**
 * Records go to the store. While somebody follows along, the last of them stay at hand in the order in which calls ended:
 * paging by call id would miss a long call, which is admitted early and recorded late. When nobody does, a record is let
 * go of as soon as it is written: what outlives some hundred calls costs each of them its share of garbage collection.
 */
import type { CallRecord, RecordQuery, RecordStore } from './ports.ts';

/** As many as one answer of the control plane may carry. */
const KEPT = 1000;
/** Whoever follows asks a few times a second; when nobody asked for so many records, nobody does. */
const UNASKED_MAX = 20 * KEPT;

export interface RecordNews {
  /** In the order in which calls ended. */
  readonly records: readonly CallRecord[];
  /** To ask with next time. */
  readonly sequence: number;
}

export class Recorder implements RecordStore {
  readonly #store: RecordStore;
  /** The record with sequence number `n` stands at `(n - 1) % KEPT`, where `n` is beyond `#keptFrom`; null while nobody follows. */
  #kept: CallRecord[] | null = [];
  #keptFrom = 0;
  /** The sequence number when somebody last asked. */
  #askedAt = 0;
  #sequence = 0;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** Number of records since the program started; from now on, they stay at hand for `since`. */
  follow(): number {
    this.#askedAt = this.#sequence;
    if (this.#kept === null) {
      this.#kept = [];
      this.#keptFrom = this.#sequence;
    }
    return this.#sequence;
  }

  append(record: CallRecord): void {
    this.#store.append(record);
    if (this.#kept !== null) this.#kept[this.#sequence % KEPT] = record;
    this.#sequence += 1;
    if (this.#sequence - this.#askedAt > UNASKED_MAX) this.#kept = null;
  }

  /**
   * The records behind a sequence number, the last 1,000 at most, and none from before it was followed. A number that
   * was not reached yet is one of an earlier run of the program: all of this run's are behind it.
   */
  since(sequence: number): RecordNews {
    const from = sequence > this.#sequence ? 0 : sequence;
    const end = this.follow();
    const records: CallRecord[] = [];
    for (let next = Math.max(from, this.#keptFrom, end - KEPT); next < end; next += 1)
      records.push(this.#kept?.[next % KEPT] as CallRecord);
    return { records, sequence: end };
  }

  waiting(isMeant: (record: CallRecord) => boolean): CallRecord | null {
    return this.#store.waiting(isMeant);
  }

  tail(query: RecordQuery): Promise<readonly CallRecord[]> {
    return this.#store.tail(query);
  }

  drain(): Promise<void> {
    return this.#store.drain();
  }
}
