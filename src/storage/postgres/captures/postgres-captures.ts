/**
 * Writes stored bodies soon after the fact, some at a time, to a schema that dumps leave out. Nothing that happens here affects a call:
 * what cannot be written is counted and reported. All work runs one piece at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CaptureStore, RetentionOf, SealedCapture } from '../../../capture/ports.ts';
import { dayOf, dayStart } from '../../../core/calendar.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import type { AccountId, CallId } from '../../../core/ids.ts';
import { Serial } from '../../../core/serial.ts';
import { dayOfChunk, WaitingCaptures } from '../../sql/waiting-captures.ts';
import type { StorageProblem } from '../../storage.ts';
import { isDatabaseTrouble } from '../engine/postgres-errors.ts';
import type { Role } from '../engine/role.ts';
import { DayPartitions, idBounds } from '../records/day-partitions.ts';
import { CHECK_VIOLATION, hasState } from '../records/sql-state.ts';
import { CaptureTable } from './capture-table.ts';

export interface PostgresCapturesParts {
  readonly role: Role;
  readonly clock: Clock;
  /** The maximum size of all days: the oldest are dropped first; if today's alone exceed it, nothing more is stored. */
  readonly bytesMax: number;
  readonly onProblem: (problem: StorageProblem) => void;
}

const DAY_MS = 86_400_000;
const FLUSH_DELAY_MS = 250;
const RETRY_MS = 1_000;
/** Bytes written here between two measurements of all days. */
const MEASURE_EVERY_BYTES = 1024 * 1024;

export class PostgresCaptures implements CaptureStore {
  readonly #parts: PostgresCapturesParts;
  readonly #partitions: DayPartitions;
  readonly #table: CaptureTable;
  readonly #waiting = new WaitingCaptures();
  readonly #serial = new Serial();
  #timer: Timer | null = null;
  /** Bytes written since all days were last measured; infinite before the first measurement. */
  #unmeasuredBytes = Number.POSITIVE_INFINITY;
  #isFull = false;
  #isClosing = false;

  constructor(parts: PostgresCapturesParts) {
    this.#parts = parts;
    this.#partitions = new DayPartitions(parts.role, [{ name: 'captures.bodies', boundsOf: idBounds }]);
    this.#table = new CaptureTable(parts.role);
  }

  append(capture: SealedCapture): void {
    if (!this.#waiting.add(capture)) return this.#lose(1, new Error('too many bodies are waiting to be written'));
    this.#flushAfter(FLUSH_DELAY_MS);
  }

  read(accountId: AccountId, callId: CallId): Promise<SealedCapture | null> {
    return this.#serial.run(async () => {
      const waiting = this.#waiting.find((each) => each.callId === callId && each.accountId === accountId);
      return waiting ?? this.#table.find(accountId, callId);
    });
  }

  delete(accountId: AccountId, callId: CallId): Promise<boolean> {
    return this.#serial.run(async () => {
      const dropped = this.#waiting.drop((each) => each.callId === callId && each.accountId === accountId);
      return (await this.#table.delete(accountId, callId)) || dropped > 0;
    });
  }

  deleteOf(accountId: AccountId): Promise<number> {
    return this.#serial.run(async () => {
      let deleted = this.#waiting.drop((each) => each.accountId === accountId);
      for (const day of await this.#partitions.days()) {
        deleted += await this.#table.deleteFrom(day, accountId, 0, Number.MAX_SAFE_INTEGER - 1);
        await this.#dropIfEmpty(day);
      }
      return deleted;
    });
  }

  deleteExpired(nowMs: number, retentionDaysOf: RetentionOf): Promise<void> {
    return this.#serial.run(async () => {
      await this.#flush();
      for (const day of await this.#partitions.days()) {
        const accounts = await this.#table.accountsOn(day);
        const isKept = accounts.filter(
          ({ accountId, expiresAt }) =>
            expiresAt > nowMs && dayStart(day + 1) > nowMs - retentionDaysOf(accountId) * DAY_MS,
        );
        // A day of which nothing is kept is dropped with its rows.
        if (isKept.length > 0)
          for (const { accountId } of accounts)
            await this.#table.deleteFrom(day, accountId, nowMs, nowMs - retentionDaysOf(accountId) * DAY_MS);
        else if (accounts.length > 0 && !(await this.#drop(day)))
          for (const { accountId } of accounts) await this.#table.deleteFrom(day, accountId, nowMs, dayStart(day + 1));
        await this.#dropIfEmpty(day);
      }
    });
  }

  heads(): Promise<readonly Uint8Array[]> {
    return this.#serial.run(async () => {
      await this.#flush();
      return this.#table.heads();
    });
  }

  /** Writes what is waiting, if the database takes it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#timer?.cancel();
    await this.#serial.run(async () => {
      await this.#flush();
      if (this.#waiting.count > 0)
        this.#lose(this.#waiting.count, new Error('the database did not take them before the program ended'));
    });
  }

  #flushAfter(delayMs: number): void {
    if (this.#isClosing) return;
    this.#timer ??= this.#parts.clock.after(delayMs, () => {
      this.#timer = null;
      void this.#serial.run(() => this.#flush());
    });
  }

  /** Leaves waiting what the database does not take now. */
  async #flush(): Promise<void> {
    while (this.#waiting.count > 0) {
      const chunk = this.#waiting.nextChunk();
      try {
        if (await this.#hasRoomOn(dayOfChunk(chunk))) await this.#write(chunk);
        else this.#lose(chunk.length, new Error('the stored bodies of one day use all the space allowed for all'));
      } catch (error) {
        if (isDatabaseTrouble(error)) return this.#flushAfter(RETRY_MS);
        this.#lose(chunk.length, error);
      }
      const written = new Set(chunk);
      this.#waiting.drop((each) => written.has(each));
      if (this.#waiting.count > 0) await nextTurn();
    }
  }

  async #write(chunk: readonly SealedCapture[]): Promise<void> {
    const day = dayOfChunk(chunk);
    // A statement cannot write a row twice.
    const captures = [...new Map(chunk.map((capture) => [capture.callId, capture])).values()];
    await this.#partitions.ensure([day]);
    try {
      await this.#table.insert(captures);
    } catch (error) {
      if (!hasState(error, CHECK_VIOLATION)) throw error;
      // Another node dropped the day to keep the limit.
      this.#partitions.forget();
      await this.#partitions.ensure([day]);
      await this.#table.insert(captures);
    }
    for (const { sealed } of captures) this.#unmeasuredBytes += sealed.length;
  }

  /** Whether there is space to write; drops the oldest days if the limit is exceeded. */
  async #hasRoomOn(day: number): Promise<boolean> {
    const { bytesMax, onProblem } = this.#parts;
    if (this.#unmeasuredBytes < MEASURE_EVERY_BYTES) return !this.#isFull;
    const sizes = await this.#partitions.sizes();
    this.#unmeasuredBytes = 0;
    const newest = Math.max(day, ...sizes.keys());
    let bytes = sizes.values().reduce((sum, each) => sum + each, 0);
    for (const [each, size] of sizes) if (each < newest && bytes > bytesMax && (await this.#drop(each))) bytes -= size;
    const isFull = bytes > bytesMax;
    if (isFull && !this.#isFull)
      onProblem({
        type: 'captures_over_limit',
        count: 1,
        cause: new Error(`the stored bodies of one day exceed the ${bytesMax} bytes allowed for all`),
      });
    this.#isFull = isFull;
    // Otherwise there would be no further measurement, because nothing is written.
    if (isFull) this.#unmeasuredBytes = MEASURE_EVERY_BYTES;
    return !isFull;
  }

  async #drop(day: number): Promise<boolean> {
    const isDropped = await this.#partitions.drop(day);
    if (isDropped) this.#unmeasuredBytes = Number.POSITIVE_INFINITY;
    return isDropped;
  }

  /** Days that are over for a day, so that no node still writes to them. */
  async #dropIfEmpty(day: number): Promise<void> {
    if (day + 1 < dayOf(this.#parts.clock.now()) && (await this.#table.isEmpty(day))) await this.#drop(day);
  }

  #lose(count: number, cause: unknown): void {
    this.#parts.onProblem({ type: 'captures_lost', count, cause });
  }
}
