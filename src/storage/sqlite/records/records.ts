/**
 * Writes records to day files soon after the fact, some hundred at a time. Nothing that happens
 * here affects a call: what cannot be written is counted and reported, and the settlement, which
 * is the durable fact, exists without details. All work on the files runs one piece at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayOf } from '../../../core/calendar.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { type CallId, callIdTime } from '../../../core/ids.ts';
import { Serial } from '../../../core/serial.ts';
import type { CallRecord, RecordQuery, RecordStore } from '../../../stats/ports.ts';
import type { StorageProblem } from '../../storage.ts';
import type { DayFolder } from '../engine/day-folder.ts';
import { isLocked } from '../engine/sqlite-errors.ts';
import { WaitingRecords } from './waiting-records.ts';

export interface RecordStoreParts {
  readonly folder: DayFolder;
  readonly clock: Clock;
  /** The maximum size of all day files; the oldest days are removed first, today's never. */
  readonly bytesMax: number;
  readonly onProblem: (problem: StorageProblem) => void;
  /** Called after each transaction, with the path of its file. */
  readonly onCommit: (path: string) => void;
}

const FLUSH_DELAY_MS = 250;
const LOCK_RETRY_MS = 50;
const TRIM_PERIOD_MS = 60_000;

export class DayRecordStore implements RecordStore {
  readonly #parts: RecordStoreParts;
  readonly #waiting = new WaitingRecords();
  readonly #serial = new Serial();
  #timer: Timer | null = null;
  #trimAtMs = 0;
  #overLimit = false;
  #lost = 0;
  #closing = false;
  /** Resolves when records missing after a crash have been rebuilt, to whether all were. */
  #rebuilt: Promise<boolean> = Promise.resolve(true);

  constructor(parts: RecordStoreParts) {
    this.#parts = parts;
  }

  /** Records that could not be written since start. */
  get lost(): number {
    return this.#lost;
  }

  /** Rebuilds records slice by slice, so that new records are written in between. */
  rebuild(slices: AsyncGenerator<void>): void {
    this.#rebuilt = this.#rebuild(slices);
  }

  append(record: CallRecord): void {
    if (!this.#waiting.add(record)) return this.#lose(1, new Error('too many records are waiting to be written'));
    this.#flushAfter(FLUSH_DELAY_MS);
  }

  waiting(matches: (record: CallRecord) => boolean): CallRecord | null {
    return this.#waiting.find(matches);
  }

  async tail(query: RecordQuery): Promise<readonly CallRecord[]> {
    await this.#rebuilt;
    return this.#serial.run(async () => {
      await this.#flush();
      return query.after === null ? this.#newest(query.limit) : this.#after(query.after, query.limit);
    });
  }

  async drain(): Promise<void> {
    await this.#rebuilt;
    await this.#writeAll();
  }

  #writeAll(): Promise<void> {
    return this.#serial.run(async () => {
      while (!(await this.#flush()))
        await new Promise<void>((resolve) => this.#parts.clock.after(LOCK_RETRY_MS, resolve));
    });
  }

  /** Writes what is waiting and closes the files. Resolves to whether every settlement has its record. */
  async close(): Promise<boolean> {
    this.#closing = true;
    const rebuilt = await this.#rebuilt;
    await this.#writeAll();
    this.#timer?.cancel();
    await this.#serial.run(() => this.#parts.folder.close());
    return rebuilt && this.#lost === 0;
  }

  async #rebuild(slices: AsyncGenerator<void>): Promise<boolean> {
    try {
      for (;;) {
        const { done } = await this.#serial.run(() => slices.next());
        if (done === true) return true;
        if (this.#closing) return false;
        await nextTurn();
      }
    } catch (error) {
      this.#lose(1, error);
      return false;
    }
  }

  #flushAfter(delayMs: number): void {
    this.#timer ??= this.#parts.clock.after(delayMs, () => {
      this.#timer = null;
      void this.#serial.run(() => this.#flush());
    });
  }

  /** False if a lock prevented a write and records are still waiting. */
  async #flush(): Promise<boolean> {
    while (this.#waiting.count > 0) {
      const { day, records } = this.#waiting.nextChunk();
      try {
        await this.#write(day, records);
      } catch (error) {
        if (isLocked(error)) {
          this.#flushAfter(LOCK_RETRY_MS);
          return false;
        }
        this.#lose(records.length, error);
      }
      this.#waiting.drop(records.length);
      if (this.#waiting.count > 0) await nextTurn();
    }
    await this.#trim();
    return true;
  }

  async #write(day: number, records: readonly CallRecord[]): Promise<void> {
    const file = await this.#parts.folder.open(day);
    const release = await file.gate.acquire();
    try {
      file.insert(records);
    } finally {
      release();
    }
    this.#parts.onCommit(file.path);
  }

  async #newest(limit: number): Promise<CallRecord[]> {
    const found: CallRecord[] = [];
    for (const day of this.#parts.folder.days().reverse()) {
      if (found.length >= limit) break;
      found.push(...(await this.#parts.folder.open(day)).newest(limit - found.length));
    }
    return found.reverse();
  }

  async #after(callId: CallId, limit: number): Promise<CallRecord[]> {
    const found: CallRecord[] = [];
    for (const day of this.#parts.folder.days()) {
      if (day < dayOf(callIdTime(callId))) continue;
      if (found.length >= limit) break;
      found.push(...(await this.#parts.folder.open(day)).after(callId, limit - found.length));
    }
    return found;
  }

  async #trim(): Promise<void> {
    const { clock, folder, bytesMax, onProblem } = this.#parts;
    if (clock.monotonic() < this.#trimAtMs) return;
    this.#trimAtMs = clock.monotonic() + TRIM_PERIOD_MS;
    const sizes = folder.sizes();
    const newest = Math.max(...sizes.keys());
    let bytes = sizes.values().reduce((sum, each) => sum + each, 0);
    for (const [day, size] of sizes) {
      if (day === newest || bytes <= bytesMax) break;
      await folder.remove(day);
      bytes -= size;
    }
    const overLimit = bytes > bytesMax;
    if (overLimit && !this.#overLimit)
      onProblem({
        type: 'records_over_limit',
        count: 1,
        cause: new Error(`the records of one day take more than the ${bytesMax} bytes allowed for all`),
      });
    this.#overLimit = overLimit;
  }

  #lose(count: number, cause: unknown): void {
    this.#lost += count;
    this.#parts.onProblem({ type: 'records_lost', count, cause });
  }
}
