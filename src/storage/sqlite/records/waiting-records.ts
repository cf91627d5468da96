/** Records that are not on disk yet: oldest first, and limited in number and in the memory of their labels. */
import { dayOf, dayStart } from '../../../core/calendar.ts';
import { DROPPED_LABELS, labelBytes } from '../../../core/call-labels.ts';
import { callIdTime } from '../../../core/ids.ts';
import type { CallRecord } from '../../../stats/ports.ts';

/** The rows of one transaction, which blocks the event loop for a millisecond or two. */
const CHUNK_ROWS = 256;
/** This many records wait only while a file is locked. */
const WAITING_MAX = 50_000;
/** The most memory for labels of waiting records; beyond it, records are stored without labels and marked as cut. */
const LABELS_BYTES_MAX = 16 * 1024 * 1024;

export class WaitingRecords {
  readonly #records: CallRecord[] = [];
  #labelBytes = 0;

  get count(): number {
    return this.#records.length;
  }

  /** False if the queue is full. */
  add(record: CallRecord): boolean {
    if (this.#records.length >= WAITING_MAX) return false;
    this.#records.push(this.#withinLimit(record));
    return true;
  }

  /** The newest record that `matches` accepts, or null. */
  find(matches: (record: CallRecord) => boolean): CallRecord | null {
    return this.#records.findLast(matches) ?? null;
  }

  /** The oldest records of one UTC day. Must not be called if none is waiting. */
  nextChunk(): { readonly day: number; readonly records: readonly CallRecord[] } {
    const first = this.#records[0] as CallRecord;
    const day = dayOf(callIdTime(first.callId));
    const [startMs, endMs] = [dayStart(day), dayStart(day + 1)];
    const most = Math.min(this.#records.length, CHUNK_ROWS);
    let count = 1;
    for (; count < most; count += 1) {
      const ms = callIdTime((this.#records[count] as CallRecord).callId);
      if (ms < startMs || ms >= endMs) break;
    }
    return { day, records: this.#records.slice(0, count) };
  }

  /** Removes the oldest `count` records. */
  drop(count: number): void {
    for (const { labels } of this.#records.splice(0, count))
      if (labels !== null) this.#labelBytes -= labelBytes(labels);
  }

  #withinLimit(record: CallRecord): CallRecord {
    if (record.labels === null) return record;
    const bytes = labelBytes(record.labels);
    if (this.#labelBytes + bytes > LABELS_BYTES_MAX) return { ...record, labels: DROPPED_LABELS };
    this.#labelBytes += bytes;
    return record;
  }
}
