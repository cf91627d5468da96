/** Stored bodies in day files. All work on the files runs one piece at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CaptureStore, RetentionOf, SealedCapture } from '../../../capture/ports.ts';
import { dayOf, dayStart } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import { type AccountId, type CallId, callIdTime } from '../../../core/ids.ts';
import { CaptureWriter } from '../../sql/captures/capture-writer.ts';
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
const LOCK_RETRY_MS = 50;

export class SqliteCaptures implements CaptureStore {
  readonly #parts: CapturesParts;
  readonly #writer: CaptureWriter;

  constructor(parts: CapturesParts) {
    const { folder, clock, bytesMax, onProblem } = parts;
    this.#parts = parts;
    const days = {
      sizes: async () => folder.sizes(),
      drop: async (day: number) => {
        await folder.remove(day);
        return true;
      },
      write: (day: number, chunk: readonly SealedCapture[]) => this.#write(day, chunk),
      isPassing: isLocked,
    };
    this.#writer = new CaptureWriter({ days, clock, bytesMax, retryMs: LOCK_RETRY_MS, onProblem });
  }

  append(capture: SealedCapture): void {
    this.#writer.append(capture);
  }

  read(accountId: AccountId, callId: CallId): Promise<SealedCapture | null> {
    return this.#writer.serial.run(async () => {
      const waiting = this.#writer.waiting.find((each) => each.callId === callId && each.accountId === accountId);
      return waiting ?? (await this.#dayOf(callId))?.find(accountId, callId) ?? null;
    });
  }

  delete(accountId: AccountId, callId: CallId): Promise<boolean> {
    return this.#writer.serial.run(async () => {
      const dropped = this.#writer.waiting.drop((each) => each.callId === callId && each.accountId === accountId);
      const file = await this.#dayOf(callId);
      const isDeleted = file !== null && (await this.#change(file, () => file.delete(accountId, callId)));
      await this.#removeEmpty(dayOf(callIdTime(callId)), file);
      return isDeleted || dropped > 0;
    });
  }

  deleteOf(accountId: AccountId): Promise<number> {
    return this.#writer.serial.run(async () => {
      let deleted = this.#writer.waiting.drop((each) => each.accountId === accountId);
      for (const day of this.#parts.folder.days()) {
        const file = await this.#parts.folder.open(day);
        deleted += await this.#deleteFrom(day, file, accountId, Number.MAX_SAFE_INTEGER);
        await this.#removeEmpty(day, file);
      }
      return deleted;
    });
  }

  deleteExpired(nowMs: number, retentionDaysOf: RetentionOf): Promise<void> {
    return this.#writer.serial.run(async () => {
      await this.#writer.flush();
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
    return this.#writer.serial.run(async () => {
      await this.#writer.flush();
      const heads: Uint8Array[] = [];
      for (const day of this.#parts.folder.days()) heads.push(...(await this.#parts.folder.open(day)).heads());
      return heads;
    });
  }

  /** Writes what is waiting and closes the files. */
  close(): Promise<void> {
    this.#writer.close();
    return this.#writer.serial.run(async () => {
      while (!(await this.#writer.flush()))
        await new Promise<void>((resolve) => this.#parts.clock.after(LOCK_RETRY_MS, resolve));
      await this.#parts.folder.close();
    });
  }

  async #write(day: number, chunk: readonly SealedCapture[]): Promise<void> {
    const file = await this.#parts.folder.open(day);
    await this.#change(file, () => file.insert(chunk));
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
    await this.#writer.drop(day);
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
}
