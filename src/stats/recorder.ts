/**
 * Records go to the store, and the last of them stay at hand in the order in which calls ended.
 * Whoever follows along asks for those: paging by call id would miss a long call, which is
 * admitted early and recorded late.
 */
import type { CallRecord, RecordQuery, RecordStore } from './ports.ts';

/** As many as one answer of the control plane may carry. */
const KEPT = 1000;

export interface RecordNews {
  /** In the order in which calls ended. */
  readonly records: readonly CallRecord[];
  /** To ask with next time. */
  readonly sequence: number;
}

export class Recorder implements RecordStore {
  readonly #store: RecordStore;
  /** The record with sequence number `n` stands at `(n - 1) % KEPT`. */
  readonly #kept: CallRecord[] = [];
  #sequence = 0;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** Number of records since the program started. */
  get sequence(): number {
    return this.#sequence;
  }

  append(record: CallRecord): void {
    this.#store.append(record);
    this.#kept[this.#sequence % KEPT] = record;
    this.#sequence += 1;
  }

  /**
   * The records behind a sequence number, the last 1,000 at most. A number that was not reached
   * yet is one of an earlier run of the program: all of this run's are behind it.
   */
  since(sequence: number): RecordNews {
    const from = sequence > this.#sequence ? 0 : sequence;
    const records: CallRecord[] = [];
    for (let next = Math.max(from, this.#sequence - KEPT); next < this.#sequence; next += 1)
      records.push(this.#kept[next % KEPT] as CallRecord);
    return { records, sequence: this.#sequence };
  }

  /** The newest of the last 1,000 records that is meant; null when none is. */
  find(isMeant: (record: CallRecord) => boolean): CallRecord | null {
    for (let number = this.#sequence; number > Math.max(0, this.#sequence - KEPT); number -= 1) {
      const record = this.#kept[(number - 1) % KEPT] as CallRecord;
      if (isMeant(record)) return record;
    }
    return null;
  }

  tail(query: RecordQuery): Promise<readonly CallRecord[]> {
    return this.#store.tail(query);
  }

  drain(): Promise<void> {
    return this.#store.drain();
  }
}
