/**
 * Group commit: rows of consecutive turns of the event loop are written in one transaction. A lock held by
 * another process delays rows and loses none. On a full disk the ballast is released, and the rows are tried once
 * more; rows that the disk refuses are rejected to their callers, whose answers then do not end as if they were
 * paid for. If a row is invalid, only the commit that contains it is refused.
 */
import type { LedgerRow } from '../../../billing/ports.ts';
import { Batch } from '../../../core/batch.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import type { Ballast } from '../engine/ballast.ts';
import type { Gate } from '../engine/gate.ts';
import type { Health } from '../engine/health.ts';
import { isDiskTrouble, isFull, isLocked, isUnanswered } from '../engine/sqlite-errors.ts';

/** Writes rows in one transaction, here or on another thread. */
export interface CommitTarget {
  /** Whether a write is done when it returns; it then needs the gate to be open, but need not hold it. */
  readonly isSynchronous: boolean;
  write(rows: readonly LedgerRow[]): void | Promise<void>;
  /** Writes something meaningless, to find out whether the disk accepts writes. */
  probe(): void | Promise<void>;
}

export interface GroupCommitParts {
  readonly target: CommitTarget;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly health: Health;
  readonly ballast: Ballast;
  /** Called after each commit. */
  readonly onCommit: () => void;
}

const LOCK_RETRY_MS = 5;
const LOCK_PATIENCE_MS = 5_000;
const PROBE_PERIOD_MS = 1_000;

/** The rows of one caller, committed completely or not at all. */
type Commit = readonly LedgerRow[];

export class GroupCommit {
  readonly #parts: GroupCommitParts;
  readonly #batch = new Batch<Commit>((commits) => this.#write(commits));
  #probing: Timer | null = null;

  constructor(parts: GroupCommitParts) {
    this.#parts = parts;
  }

  /** Resolves when the rows are durable; rejects if they were refused, and then none is written. */
  commit(rows: Commit): Promise<void> {
    if (rows.length === 0) return Promise.resolve();
    return this.#batch.add(rows).catch((error: unknown) => {
      if (!(error instanceof PartlyRefused)) throw error;
      if (error.refused.has(rows)) throw error.refused.get(rows);
    });
  }

  /** Resolves when nothing is pending, whether it could be written or not. */
  async drain(): Promise<void> {
    await Promise.allSettled([this.#batch.drain()]);
    this.#probing?.cancel();
  }

  #write(commits: readonly Commit[]): void | Promise<void> {
    const { gate, target } = this.#parts;
    const rows = commits.length === 1 ? (commits[0] as Commit) : commits.flat();
    if (!target.isSynchronous || !gate.isOpen) return this.#writeTogether(commits, rows, 0);
    try {
      void target.write(rows);
    } catch (error) {
      return this.#writeAgain(error, commits, rows);
    }
    this.#written();
  }

  /** Handles the failure of a synchronous write. */
  #writeAgain(error: unknown, commits: readonly Commit[], rows: Commit): Promise<void> {
    if (isLocked(error)) return this.#writeTogether(commits, rows, LOCK_RETRY_MS);
    if (this.#releaseBallast(error, rows)) return this.#writeTogether(commits, rows, 0);
    if (commits.length > 1 && !isDiskTrouble(error)) return this.#writeApart(commits);
    throw this.#refused(error, rows);
  }

  async #writeTogether(commits: readonly Commit[], rows: Commit, delayMs: number): Promise<void> {
    try {
      await this.#writeInTurn(rows, delayMs);
    } catch (error) {
      const isWorthIt = commits.length > 1 || isUnanswered(error);
      if (isWorthIt && !isDiskTrouble(error)) return this.#writeApart(commits);
      throw this.#refused(error, rows);
    }
  }

  /**
   * Writes commits one by one, if one of them is invalid and the others must not be refused with it, or if the writing thread
   * died: what it did write is recognized when it is tried again.
   */
  async #writeApart(commits: readonly Commit[]): Promise<void> {
    const refused = new Map<Commit, unknown>();
    for (const rows of commits) {
      try {
        await this.#writeInTurn(rows, 0);
      } catch (error) {
        refused.set(rows, this.#refused(error, rows));
      }
    }
    if (refused.size > 0) throw new PartlyRefused(refused);
  }

  /** Throws errors other than locks and a full disk that the ballast can relieve. */
  async #writeInTurn(rows: readonly LedgerRow[], delayMs: number): Promise<void> {
    const { clock, gate, health, target } = this.#parts;
    const since = clock.monotonic();
    for (let waitMs = delayMs; ; ) {
      if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
      const release = await gate.acquire();
      try {
        await target.write(rows);
        return this.#written();
      } catch (error) {
        waitMs = this.#releaseBallast(error, rows) ? 0 : LOCK_RETRY_MS;
        if (waitMs > 0 && !isLocked(error)) throw error;
        if (clock.monotonic() - since >= LOCK_PATIENCE_MS) health.delayed(rows.length);
      } finally {
        release();
      }
    }
  }

  #written(): void {
    // While the ballast is released, the remaining space is for calls that are already running.
    if (!this.#parts.ballast.isReleased) this.#parts.health.written();
    this.#parts.onCommit();
  }

  /** True if the disk is full and the ballast could be released, so that a retry makes sense. */
  #releaseBallast(error: unknown, rows: readonly LedgerRow[]): boolean {
    if (!isFull(error) || !this.#parts.ballast.release()) return false;
    this.#parts.health.short(error, rows.length);
    this.#startProbing();
    return true;
  }

  #refused(error: unknown, rows: readonly LedgerRow[]): unknown {
    this.#parts.health.failed(error, rows.length);
    if (isFull(error)) this.#startProbing();
    return error;
  }

  #startProbing(): void {
    this.#probing ??= this.#parts.clock.every(PROBE_PERIOD_MS, () => void this.#probe());
  }

  /** While the disk counts as full no call is admitted, so no commit would find out that there is space again. */
  async #probe(): Promise<void> {
    const { ballast, gate, health, target } = this.#parts;
    const release = await gate.acquire();
    try {
      if (!ballast.make() && ballast.isReleased) return;
      await target.probe();
      health.written();
      this.#probing?.cancel();
      this.#probing = null;
    } catch (error) {
      if (!isFull(error) && !isLocked(error)) health.failed(error, 0);
    } finally {
      release();
    }
  }
}

/** Some commits of a batch were refused, and the others were written. */
class PartlyRefused extends Error {
  readonly refused: ReadonlyMap<Commit, unknown>;

  constructor(refused: ReadonlyMap<Commit, unknown>) {
    super('some rows of the batch were refused');
    this.refused = refused;
  }
}
