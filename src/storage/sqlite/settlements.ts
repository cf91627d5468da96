/**
 * Group commit: the settlements of one turn of the event loop are one transaction, one system
 * call. A lock held by somebody else delays rows and loses none; rows the disk refuses are
 * refused to their callers, whose answers then do not end as if they were paid for.
 */
import type { SettleStore } from '../../billing/ports.ts';
import { Batch } from '../../core/batch.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { Gate } from './gate.ts';
import type { Health } from './health.ts';
import { isFull, isLocked } from './sqlite-errors.ts';

/** Writes rows in one transaction, here or on another thread. */
export interface CommitTarget {
  /** Whether a write is done when it returns; it may then pass an open gate without holding it. */
  readonly isSynchronous: boolean;
  write(rows: readonly Settlement[]): void | Promise<void>;
  /** Writes something of no meaning, to learn whether the disk takes it. */
  probe(): void | Promise<void>;
}

export interface SettleStoreParts {
  readonly target: CommitTarget;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly health: Health;
  /** Called after each commit. */
  readonly onCommit: () => void;
}

const LOCK_RETRY_MS = 5;
const LOCK_PATIENCE_MS = 5_000;
const PROBE_PERIOD_MS = 1_000;

export class SqliteSettleStore implements SettleStore {
  readonly #parts: SettleStoreParts;
  readonly #batch = new Batch<Settlement>((rows) => this.#write(rows));
  #probing: Timer | null = null;

  constructor(parts: SettleStoreParts) {
    this.#parts = parts;
  }

  commit(rows: readonly Settlement[]): Promise<void> {
    let committed: Promise<void> | null = null;
    // All rows are added in this turn, so the last one's batch is everyone's.
    for (const row of rows) committed = this.#batch.add(row);
    return committed ?? Promise.resolve();
  }

  /** Resolves when nothing is waiting any more, whether it could be written or not. */
  async drain(): Promise<void> {
    await Promise.allSettled([this.#batch.drain()]);
    this.#probing?.cancel();
  }

  #write(rows: readonly Settlement[]): void | Promise<void> {
    const { gate, target } = this.#parts;
    if (!target.isSynchronous || !gate.isOpen) return this.#writeInTurn(rows, 0);
    try {
      void target.write(rows);
    } catch (error) {
      if (isLocked(error)) return this.#writeInTurn(rows, LOCK_RETRY_MS);
      throw this.#refused(error, rows);
    }
    this.#written();
  }

  async #writeInTurn(rows: readonly Settlement[], delayMs: number): Promise<void> {
    const { clock, gate, health, target } = this.#parts;
    const since = clock.monotonic();
    for (let waitMs = delayMs; ; waitMs = LOCK_RETRY_MS) {
      if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
      const release = await gate.hold();
      try {
        await target.write(rows);
        return this.#written();
      } catch (error) {
        if (!isLocked(error)) throw this.#refused(error, rows);
        if (clock.monotonic() - since >= LOCK_PATIENCE_MS) health.delayed(rows.length);
      } finally {
        release();
      }
    }
  }

  #written(): void {
    this.#parts.health.written();
    this.#parts.onCommit();
  }

  #refused(error: unknown, rows: readonly Settlement[]): unknown {
    this.#parts.health.failed(error, rows.length);
    if (isFull(error)) this.#probing ??= this.#parts.clock.every(PROBE_PERIOD_MS, () => void this.#probe());
    return error;
  }

  /** While health says that the disk is full no call is admitted, so no commit would find out that it no longer is. */
  async #probe(): Promise<void> {
    const release = await this.#parts.gate.hold();
    try {
      await this.#parts.target.probe();
      this.#parts.health.written();
      this.#probing?.cancel();
      this.#probing = null;
    } catch (error) {
      if (!isFull(error) && !isLocked(error)) this.#parts.health.failed(error, 0);
    } finally {
      release();
    }
  }
}
