/**
 * Writes stored bodies to day files soon after the fact, some at a time. Nothing that happens here affects a call: what
 * cannot be written is counted and reported. All work on the files runs one piece at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CaptureStore, RetentionOf, SealedCapture } from '../../../capture/ports.ts';
import { dayOf, dayStart } from '../../../core/calendar.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { type AccountId, type CallId, callIdTime } from '../../../core/ids.ts';
import { Serial } from '../../../core/serial.ts';
import { dayOfChunk, WaitingCaptures } from '../../sql/waiting-captures.ts';
import type { StorageProblem } from '../../storage.ts';
import type { DayFolder } from '../engine/day-folder.ts';
import { isLocked } from '../engine/sqlite-errors.ts';
import type { CaptureDay } from './capture-day.ts';

export interface CapturesParts {
  readonly folder: DayFolder<CaptureDay>;
  readonly clock: Clock;
  /** The maximum size of all day files: the oldest days are removed first; if today's alone exceed it, nothing more is stored. */
  readonly bytesMax: number;
  readonly onProblem: (problem: StorageProblem) => void;
  /** Called after each transaction, with the path of its file. */
  readonly onCommit: (path: string) => void;
}

const DAY_MS = 86_400_000;
const FLUSH_DELAY_MS = 250;
const LOCK_RETRY_MS = 50;
/** Bytes written between two measurements of the folder. */
const MEASURE_EVERY_BYTES = 1024 * 1024;

export class SqliteCaptures implements CaptureStore {
  readonly #parts: CapturesParts;
  readonly #waiting = new WaitingCaptures();
  readonly #serial = new Serial();
  #timer: Timer | null = null;
  /** Bytes written since the folder was last measured; infinite before the first measurement. */
  #unmeasuredBytes = Number.POSITIVE_INFINITY;
  #isFull = false;

  constructor(parts: CapturesParts) {
    this.#parts = parts;
  }

  append(capture: SealedCapture): void {
    if (!this.#waiting.add(capture)) return this.#lose(1, new Error('too many bodies are waiting to be written'));
    this.#flushAfter(FLUSH_DELAY_MS);
  }

  read(accountId: AccountId, callId: CallId): Promise<SealedCapture | null> {
    return this.#serial.run(async () => {
      const waiting = this.#waiting.find((each) => each.callId === callId && each.accountId === accountId);
      return waiting ?? (await this.#dayOf(callId))?.find(accountId, callId) ?? null;
    });
  }

  delete(accountId: AccountId, callId: CallId): Promise<boolean> {
    return this.#serial.run(async () => {
      const dropped = this.#waiting.drop((each) => each.callId === callId && each.accountId === accountId);
      const file = await this.#dayOf(callId);
      const isDeleted = file !== null && (await this.#change(file, () => file.delete(accountId, callId)));
      await this.#removeEmpty(dayOf(callIdTime(callId)), file);
      return isDeleted || dropped > 0;
    });
  }

  deleteOf(accountId: AccountId): Promise<number> {
    return this.#serial.run(async () => {
      let deleted = this.#waiting.drop((each) => each.accountId === accountId);
      for (const day of this.#parts.folder.days()) {
        const file = await this.#parts.folder.open(day);
        deleted += await this.#deleteFrom(day, file, accountId, Number.MAX_SAFE_INTEGER);
        await this.#removeEmpty(day, file);
      }
      return deleted;
    });
  }

  deleteExpired(nowMs: number, retentionDaysOf: RetentionOf): Promise<void> {
    return this.#serial.run(async () => {
      await this.#flush();
      for (const day of this.#parts.folder.days()) {
        const file = await this.#parts.folder.open(day);
        for (const accountId of file.accounts())
          await this.#deleteFrom(day, file, accountId, nowMs - retentionDaysOf(accountId) * DAY_MS);
        await this.#removeEmpty(day, file);
        await nextTurn();
      }
    });
  }

  heads(): Promise<readonly Uint8Array[]> {
    return this.#serial.run(async () => {
      await this.#flush();
      const heads: Uint8Array[] = [];
      for (const day of this.#parts.folder.days()) heads.push(...(await this.#parts.folder.open(day)).heads());
      return heads;
    });
  }

  /** Writes what is waiting and closes the files. */
  close(): Promise<void> {
    this.#timer?.cancel();
    return this.#serial.run(async () => {
      while (!(await this.#flush()))
        await new Promise<void>((resolve) => this.#parts.clock.after(LOCK_RETRY_MS, resolve));
      this.#timer?.cancel();
      await this.#parts.folder.close();
    });
  }

  #flushAfter(delayMs: number): void {
    this.#timer ??= this.#parts.clock.after(delayMs, () => {
      this.#timer = null;
      void this.#serial.run(() => this.#flush());
    });
  }

  /** False if a lock prevented a write and bodies are still waiting. */
  async #flush(): Promise<boolean> {
    while (this.#waiting.count > 0) {
      const chunk = this.#waiting.nextChunk();
      try {
        if (await this.#hasRoomOn(dayOfChunk(chunk))) await this.#write(chunk);
        else this.#lose(chunk.length, new Error('the stored bodies of one day use all the space allowed for all'));
      } catch (error) {
        if (isLocked(error)) {
          this.#flushAfter(LOCK_RETRY_MS);
          return false;
        }
        this.#lose(chunk.length, error);
      }
      const written = new Set(chunk);
      this.#waiting.drop((each) => written.has(each));
      if (this.#waiting.count > 0) await nextTurn();
    }
    return true;
  }

  async #write(chunk: readonly SealedCapture[]): Promise<void> {
    const file = await this.#parts.folder.open(dayOfChunk(chunk));
    await this.#change(file, () => file.insert(chunk));
    for (const { sealed } of chunk) this.#unmeasuredBytes += sealed.length;
  }

  /** Whether there is space to write; removes the oldest days if the limit is exceeded. */
  async #hasRoomOn(day: number): Promise<boolean> {
    const { folder, bytesMax, onProblem } = this.#parts;
    if (this.#unmeasuredBytes < MEASURE_EVERY_BYTES) return !this.#isFull;
    this.#unmeasuredBytes = 0;
    const days = folder.days();
    const newest = Math.max(day, days.at(-1) ?? day);
    for (const each of days) if (each < newest && folder.bytes() > bytesMax) await folder.remove(each);
    const isFull = folder.bytes() > bytesMax;
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

  /** The file that would contain a call's bodies; null if the day has no file. */
  async #dayOf(callId: CallId): Promise<CaptureDay | null> {
    const day = dayOf(callIdTime(callId));
    return this.#parts.folder.days().includes(day) ? this.#parts.folder.open(day) : null;
  }

  /** Deletes an account's bodies that have expired, or whose calls were admitted at `admittedTo` or before. */
  async #deleteFrom(day: number, file: CaptureDay, accountId: AccountId, admittedTo: number): Promise<number> {
    if (dayStart(day + 1) <= admittedTo && file.accounts().length === 1 && file.accounts()[0] === accountId)
      return this.#removeDay(day, file);
    const expired = await this.#deleteAll(file, () => file.deleteExpired(accountId, this.#parts.clock.now()));
    // Only days that begin before `admittedTo` can contain older calls.
    if (dayStart(day) > admittedTo) return expired;
    return expired + (await this.#deleteAll(file, () => file.deleteOld(accountId, admittedTo)));
  }

  /** Deletes some rows per turn of the event loop. */
  async #deleteAll(file: CaptureDay, deleteSome: () => number): Promise<number> {
    for (let deleted = 0; ; ) {
      const some = await this.#change(file, deleteSome);
      if (some === 0) return deleted;
      deleted += some;
      await nextTurn();
    }
  }

  async #removeDay(day: number, file: CaptureDay): Promise<number> {
    const { size } = file;
    await this.#parts.folder.remove(day);
    this.#unmeasuredBytes = Number.POSITIVE_INFINITY;
    return size;
  }

  async #removeEmpty(day: number, file: CaptureDay | null): Promise<void> {
    const isThere = file !== null && this.#parts.folder.opened(day) === file;
    if (isThere && file.size === 0) await this.#removeDay(day, file);
  }

  async #change<Result>(file: CaptureDay, change: () => Result): Promise<Result> {
    const release = await file.gate.acquire();
    try {
      return change();
    } finally {
      release();
      this.#parts.onCommit(file.path);
    }
  }

  #lose(count: number, cause: unknown): void {
    this.#parts.onProblem({ type: 'captures_lost', count, cause });
  }
}
