/**
 * Writes records soon after the fact, some hundred at a time and after their settlements. Nothing that happens here affects a call: what
 * cannot be written is counted, reported and rebuilt from settlements. All work on the table runs one piece at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayOf } from '../../../core/calendar.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { callIdTime } from '../../../core/ids.ts';
import { Serial } from '../../../core/serial.ts';
import { Outage } from '../../../core/trouble/outage.ts';
import type { CallRecord, RecordQuery, RecordStore } from '../../../stats/ports.ts';
import type { StorageProblem } from '../../storage.ts';
import { isDatabaseTrouble } from '../engine/postgres-errors.ts';
import type { Role } from '../engine/role.ts';
import { DayPartitions, hourBounds, idBounds } from './day-partitions.ts';
import { Gaps, type TimeSpan } from './gaps.ts';
import { firstSettled, rebuildSpan } from './rebuild-records.ts';
import { RecordTable } from './record-table.ts';
import { CHECK_VIOLATION, hasState } from './sql-state.ts';
import { WaitingRecords } from './waiting-records.ts';

export interface PostgresRecordParts {
  readonly role: Role;
  readonly clock: Clock;
  /** The place of this node. */
  readonly slot: () => number;
  /** The maximum size of all days; the oldest are dropped first, today's never. */
  readonly bytesMax: number;
  readonly onProblem: (problem: StorageProblem) => void;
  /** Resolves when the settlements so far are in the database, or after a moment. */
  readonly afterSettlements: () => Promise<void>;
  /** The most memory for records that wait, bytes; by default 256 MiB. */
  readonly waitingBytesMax?: number;
}

const FLUSH_DELAY_MS = 500;
const RETRY_MS = 1_000;
const TRIM_PERIOD_MS = 60_000;
/** How long records are rebuilt before others are written. */
const REBUILD_MS = 100;
/** Days whose partitions exist before they begin. */
const DAYS_AHEAD = 2;
/** Tries to write what waits when the storage closes. */
const CLOSE_TRIES = 2;

export class PostgresRecords implements RecordStore {
  readonly #parts: PostgresRecordParts;
  readonly #partitions: DayPartitions;
  readonly #table: RecordTable;
  readonly #waiting: WaitingRecords;
  readonly #serial = new Serial();
  readonly #gaps = new Gaps();
  readonly #outage: Outage;
  #timer: Timer | null = null;
  #trimAtMs = 0;
  #overLimit = false;
  #lost = 0;
  #isClosing = false;

  constructor(parts: PostgresRecordParts) {
    this.#parts = parts;
    this.#partitions = new DayPartitions(parts.role, [
      { name: 'records', boundsOf: idBounds },
      { name: 'first_bytes', boundsOf: hourBounds },
    ]);
    this.#table = new RecordTable(parts.role, parts.slot);
    this.#waiting = new WaitingRecords(parts.waitingBytesMax);
    this.#outage = new Outage(parts.clock);
  }

  /** Records that could not be written since start. */
  get lost(): number {
    return this.#lost;
  }

  /** Rebuilds records that may be missing in this time, slice by slice, in the background. */
  rebuild(span: TimeSpan): void {
    this.#gaps.add(span);
    this.#flushAfter(FLUSH_DELAY_MS);
  }

  append(record: CallRecord): void {
    if (this.#waiting.add(record)) return this.#flushAfter(FLUSH_DELAY_MS);
    this.#lose([record], new Error('too many records are waiting to be written'));
  }

  waiting(matches: (record: CallRecord) => boolean): CallRecord | null {
    return this.#waiting.find(matches);
  }

  async tail({ after, limit }: RecordQuery): Promise<readonly CallRecord[]> {
    return this.#serial.run(async () => {
      await this.#flush();
      return after === null ? this.#table.newest(limit) : this.#table.after(after, limit);
    });
  }

  async drain(): Promise<void> {
    while (!(await this.#serial.run(() => this.#flush())))
      await new Promise<void>((resolve) => this.#parts.clock.after(RETRY_MS, resolve));
  }

  /** Writes what is waiting, if the database takes it. Resolves to whether every settlement has its record. */
  async close(): Promise<boolean> {
    this.#isClosing = true;
    this.#timer?.cancel();
    let isWritten = false;
    for (let tries = 0; tries < CLOSE_TRIES && !isWritten; tries += 1)
      isWritten = await this.#serial.run(() => this.#flush());
    const { count } = this.#waiting;
    if (count > 0)
      this.#parts.onProblem({
        type: 'records_lost',
        count,
        cause: new Error('the database did not take them before the program ended; the next start rebuilds them'),
      });
    return isWritten && this.#gaps.isEmpty;
  }

  #flushAfter(delayMs: number): void {
    if (this.#isClosing) return;
    this.#timer ??= this.#parts.clock.after(delayMs, () => {
      this.#timer = null;
      void this.#serial.run(() => this.#flush());
    });
  }

  /** False if the database cannot be written now, and records are still waiting. */
  async #flush(): Promise<boolean> {
    if (this.#waiting.count > 0) await this.#parts.afterSettlements();
    const { count: waited } = this.#waiting;
    while (this.#waiting.count > 0) {
      const records = this.#waiting.nextChunk();
      try {
        await this.#write(records);
      } catch (error) {
        if (isDatabaseTrouble(error)) return this.#delayed(error);
        this.#lose(records, error);
      }
      this.#waiting.drop(records.length);
      if (this.#waiting.count > 0) await nextTurn();
    }
    try {
      await this.#rebuildGap();
      await this.#keepDays();
    } catch (error) {
      return this.#delayed(error);
    }
    const lastedMs = this.#outage.worked();
    if (lastedMs !== null)
      this.#parts.onProblem({ type: 'records_delayed', count: waited, cause: null, overAfterMs: lastedMs });
    return true;
  }

  #delayed(cause: unknown): boolean {
    if (this.#outage.failed()) this.#parts.onProblem({ type: 'records_delayed', count: this.#waiting.count, cause });
    this.#flushAfter(RETRY_MS);
    return this.#waiting.count === 0;
  }

  async #write(records: readonly CallRecord[]): Promise<void> {
    await this.#ensureDaysOf(records);
    try {
      await this.#table.insert(records);
    } catch (error) {
      if (!hasState(error, CHECK_VIOLATION)) throw error;
      // Another node dropped a day to keep the limit.
      this.#partitions.forget();
      await this.#ensureDaysOf(records);
      await this.#table.insert(records);
    }
  }

  /** Of the id, and of admission, which may be on the next day. */
  #ensureDaysOf(records: readonly CallRecord[]): Promise<void> {
    const days = new Set<number>();
    for (const { callId, admittedAt } of records) days.add(dayOf(callIdTime(callId))).add(dayOf(admittedAt));
    return this.#partitions.ensure(days);
  }

  /** For a short time, so that new records are written in between. */
  async #rebuildGap(): Promise<void> {
    const { clock, role } = this.#parts;
    const endMs = clock.monotonic() + REBUILD_MS;
    for (let span = this.#gaps.next(); span !== null; span = this.#gaps.next()) {
      const settledAt = await firstSettled(role, span.fromMs);
      if (settledAt !== null && settledAt < span.toMs)
        await rebuildSpan(role, span, async (records) => {
          await this.#ensureDaysOf(records);
          await this.#table.insertRebuilt(records);
        });
      // Nothing is missing where nothing is settled.
      this.#gaps.done({ ...span, toMs: Math.max(span.toMs, settledAt ?? Number.POSITIVE_INFINITY) });
      if (clock.monotonic() < endMs) continue;
      if (!this.#gaps.isEmpty) this.#flushAfter(0);
      return;
    }
  }

  async #keepDays(): Promise<void> {
    const { clock, bytesMax, onProblem } = this.#parts;
    if (clock.monotonic() < this.#trimAtMs) return;
    this.#trimAtMs = clock.monotonic() + TRIM_PERIOD_MS;
    const today = dayOf(clock.now());
    await this.#partitions.ensure(Array.from({ length: DAYS_AHEAD + 1 }, (_, index) => today + index));
    const sizes = await this.#partitions.sizes();
    let bytes = sizes.values().reduce((sum, each) => sum + each, 0);
    for (const [day, size] of sizes)
      if (bytes > bytesMax && day < today && (await this.#partitions.drop(day))) bytes -= size;
    const overLimit = (sizes.get(today) ?? 0) > bytesMax;
    if (overLimit && !this.#overLimit)
      onProblem({
        type: 'records_over_limit',
        count: 1,
        cause: new Error(`the records of one day take more than the ${bytesMax} bytes allowed for all`),
      });
    this.#overLimit = overLimit;
  }

  #lose(records: readonly CallRecord[], cause: unknown): void {
    this.#lost += records.length;
    for (const { callId } of records) this.#gaps.add({ fromMs: callIdTime(callId), toMs: callIdTime(callId) + 1 });
    this.#parts.onProblem({ type: 'records_lost', count: records.length, cause });
  }
}
