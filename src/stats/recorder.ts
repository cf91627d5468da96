/**
 * Passes records to the store. With several nodes it learns those of the others, too. While somebody follows, the last of them stay in memory in the order in which calls ended:
 * paging by call id would miss a long call, which is admitted early and recorded late. Without followers a record is
 * released as soon as it is written: objects that outlive some hundred calls cost each of them garbage collection.
 */
import type { CallRecord, RecordQuery, RecordStore } from './ports.ts';

/** As many as one answer of the control plane may contain. */
const KEPT = 1000;
/** A follower asks a few times a second; if nobody has asked for this many records, nobody follows. */
const UNASKED_MAX = 20 * KEPT;

export interface RecordNews {
  /** In the order in which calls ended. */
  readonly records: readonly CallRecord[];
  /** For the next call of `since`. */
  readonly sequence: number;
}

export class Recorder implements RecordStore {
  readonly #store: RecordStore;
  /** The record with sequence number `n` is at `(n - 1) % KEPT` if `n` is above `#keptFrom`; null while nobody follows. A null in it was missed. */
  #kept: (CallRecord | null)[] | null = [];
  #keptFrom = 0;
  /** The sequence number at the time of the last request. */
  #askedAt = 0;
  #sequence = 0;
  /** Called whenever somebody follows; must not throw. */
  onFollowed: (() => void) | null = null;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** Returns the number of records since the program started; from now on they are kept for `since`. */
  follow(): number {
    this.onFollowed?.();
    this.#askedAt = this.#sequence;
    if (this.#kept === null) {
      this.#kept = [];
      this.#keptFrom = this.#sequence;
    }
    return this.#sequence;
  }

  append(record: CallRecord): void {
    this.#store.append(record);
    this.#keep(record);
  }

  /** For who follows: another node has recorded this call. Null for one or more that are not known. */
  learn(record: CallRecord | null): void {
    this.#keep(record);
  }

  /**
   * The records after a sequence number, at most the last 1,000, and none from before `follow` was called. A number that
   * is higher than the current one is from an earlier run of the program: all records of this run come after it.
   */
  since(sequence: number): RecordNews {
    const from = sequence > this.#sequence ? 0 : sequence;
    const end = this.follow();
    const records: CallRecord[] = [];
    for (let next = Math.max(from, this.#keptFrom, end - KEPT); next < end; next += 1) {
      const record = this.#kept?.[next % KEPT] ?? null;
      if (record !== null) records.push(record);
    }
    return { records, sequence: end };
  }

  waiting(matches: (record: CallRecord) => boolean): CallRecord | null {
    return this.#store.waiting(matches);
  }

  tail(query: RecordQuery): Promise<readonly CallRecord[]> {
    return this.#store.tail(query);
  }

  drain(): Promise<void> {
    return this.#store.drain();
  }

  #keep(record: CallRecord | null): void {
    if (this.#kept !== null) this.#kept[this.#sequence % KEPT] = record;
    this.#sequence += 1;
    if (this.#sequence - this.#askedAt > UNASKED_MAX) this.#kept = null;
  }
}
