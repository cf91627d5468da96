/** Records that are not on disk yet: oldest first, and bounded in number and in what their labels take of memory. */
import { dayOf, dayStart } from '../../../core/calendar.ts';
import { labelRoom, NO_ROOM } from '../../../core/call-labels.ts';
import { callIdTime } from '../../../core/ids.ts';
import type { CallRecord } from '../../../stats/ports.ts';

/** One transaction's worth: it keeps the event loop for a millisecond or two. */
const CHUNK_ROWS = 256;
/** More than this is waiting only while a file is locked. */
const WAITING_MAX = 50_000;
/** Labels take as much of memory at most while they wait; beyond that records are kept without theirs, and say so. */
const LABELS_BYTES_MAX = 16 * 1024 * 1024;

export class WaitingRecords {
  readonly #records: CallRecord[] = [];
  #labelBytes = 0;

  get count(): number {
    return this.#records.length;
  }

  /** False where there is no room for another one. */
  add(record: CallRecord): boolean {
    if (this.#records.length >= WAITING_MAX) return false;
    this.#records.push(this.#withinRoom(record));
    return true;
  }

  /** The newest that is meant; null when none is. */
  find(isMeant: (record: CallRecord) => boolean): CallRecord | null {
    return this.#records.findLast(isMeant) ?? null;
  }

  /** The oldest ones of one UTC day. There must be one. */
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

  /** The oldest `count` wait no longer. */
  drop(count: number): void {
    for (const { labels } of this.#records.splice(0, count)) if (labels !== null) this.#labelBytes -= labelRoom(labels);
  }

  #withinRoom(record: CallRecord): CallRecord {
    if (record.labels === null) return record;
    const bytes = labelRoom(record.labels);
    if (this.#labelBytes + bytes > LABELS_BYTES_MAX) return { ...record, labels: NO_ROOM };
    this.#labelBytes += bytes;
    return record;
  }
}
