/** Stored bodies in a schema that dumps leave out. All work of this node runs one piece at a time. */
import type { CaptureStore, RetentionOf, SealedCapture } from '../../../capture/ports.ts';
import { dayOf, dayStart } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import type { AccountId, CallId } from '../../../core/ids.ts';
import { CaptureWriter } from '../../sql/captures/capture-writer.ts';
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
const RETRY_MS = 1_000;

export class PostgresCaptures implements CaptureStore {
  readonly #parts: PostgresCapturesParts;
  readonly #partitions: DayPartitions;
  readonly #table: CaptureTable;
  readonly #writer: CaptureWriter;

  constructor(parts: PostgresCapturesParts) {
    const { role, clock, bytesMax, onProblem } = parts;
    this.#parts = parts;
    this.#partitions = new DayPartitions(role, [{ name: 'captures.bodies', boundsOf: idBounds }]);
    this.#table = new CaptureTable(role);
    const days = {
      sizes: () => this.#partitions.sizes(),
      drop: (day: number) => this.#partitions.drop(day),
      write: (day: number, chunk: readonly SealedCapture[]) => this.#write(day, chunk),
      isPassing: isDatabaseTrouble,
    };
    this.#writer = new CaptureWriter({ days, clock, bytesMax, retryMs: RETRY_MS, onProblem });
  }

  append(capture: SealedCapture): void {
    this.#writer.append(capture);
  }

  read(accountId: AccountId, callId: CallId): Promise<SealedCapture | null> {
    return this.#writer.serial.run(async () => {
      const waiting = this.#writer.waiting.find((each) => each.callId === callId && each.accountId === accountId);
      return waiting ?? this.#table.find(accountId, callId);
    });
  }

  delete(accountId: AccountId, callId: CallId): Promise<boolean> {
    return this.#writer.serial.run(async () => {
      const dropped = this.#writer.waiting.drop((each) => each.callId === callId && each.accountId === accountId);
      return (await this.#table.delete(accountId, callId)) || dropped > 0;
    });
  }

  deleteOf(accountId: AccountId): Promise<number> {
    return this.#writer.serial.run(async () => {
      let deleted = this.#writer.waiting.drop((each) => each.accountId === accountId);
      for (const day of await this.#partitions.days()) {
        deleted += await this.#table.deleteFrom(day, accountId, 0, Number.MAX_SAFE_INTEGER - 1);
        await this.#dropIfEmpty(day);
      }
      return deleted;
    });
  }

  deleteExpired(nowMs: number, retentionDaysOf: RetentionOf): Promise<void> {
    return this.#writer.serial.run(async () => {
      await this.#writer.flush();
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
        else if (accounts.length > 0 && !(await this.#writer.drop(day)))
          for (const { accountId } of accounts) await this.#table.deleteFrom(day, accountId, nowMs, dayStart(day + 1));
        await this.#dropIfEmpty(day);
      }
    });
  }

  heads(): Promise<readonly Uint8Array[]> {
    return this.#writer.serial.run(async () => {
      await this.#writer.flush();
      return this.#table.heads();
    });
  }

  /** Writes what is waiting, if the database takes it. */
  async close(): Promise<void> {
    const { waiting, serial } = this.#writer;
    this.#writer.close();
    await serial.run(async () => {
      await this.#writer.flush();
      if (waiting.count > 0)
        this.#writer.lose(waiting.count, new Error('the database did not take them before the program ended'));
    });
  }

  async #write(day: number, chunk: readonly SealedCapture[]): Promise<void> {
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
  }

  /** Days that are over for a day, so that no node still writes to them. */
  async #dropIfEmpty(day: number): Promise<void> {
    if (day + 1 < dayOf(this.#parts.clock.now()) && (await this.#table.isEmpty(day))) await this.#writer.drop(day);
  }
}
