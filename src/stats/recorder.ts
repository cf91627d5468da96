/**
 * Records go to the store and, as they happen, to whoever watches. A live view listens to the
 * news: paging by call id would miss a long call, which is admitted early and recorded late.
 */
import type { Bus } from '../core/bus.ts';
import type { CallRecord, RecordQuery, RecordStore } from './ports.ts';

export interface RecordTopics {
  readonly record: CallRecord;
}

export class Recorder implements RecordStore {
  readonly #store: RecordStore;
  readonly #bus: Bus<RecordTopics>;

  constructor(store: RecordStore, bus: Bus<RecordTopics>) {
    this.#store = store;
    this.#bus = bus;
  }

  append(record: CallRecord): void {
    this.#store.append(record);
    this.#bus.publish('record', record);
  }

  tail(query: RecordQuery): Promise<readonly CallRecord[]> {
    return this.#store.tail(query);
  }

  drain(): Promise<void> {
    return this.#store.drain();
  }
}
