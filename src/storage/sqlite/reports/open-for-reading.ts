/** Databases that are only read, on a thread of their own, for as long as a deadline allows. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../core/clock.ts';

/** A lock is held for moments only, while the last writer lets go of a file. */
const LOCK_PATIENCE_MS = 100;

/** A read runs so long at a time, and waits so long in between: as short as a call may be made to wait. */
const RUN_MS = 0.5;
const PAUSE_MS = 0.3;

/** What is read takes longer than it may. */
export class ReadTooLate extends Error {
  override readonly name = 'ReadTooLate';
}

/** Until when may be read. */
export class ReadDeadline {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #pause: ((ms: number) => void) | null;
  #atMs = 0;
  #pauseAtMs = 0;

  /**
   * `pause` blocks the thread. With it a read lets go of its core every so often: where calls share the core, the
   * scheduler would let a thread that runs keep it for some milliseconds, however little it counts beside them.
   */
  constructor(clock: Pick<Clock, 'monotonic'>, pause: ((ms: number) => void) | null = null) {
    this.#clock = clock;
    this.#pause = pause;
  }

  set(budgetMs: number): void {
    const now = this.#clock.monotonic();
    this.#atMs = now + budgetMs;
    this.#pauseAtMs = now + RUN_MS;
  }

  /** Monotonic, ms. */
  now(): number {
    return this.#clock.monotonic();
  }

  /** For what ends with what it has found so far: whether this time, or the deadline's, has passed. */
  box(budgetMs: number): () => boolean {
    const clock = this.#clock;
    const endMs = Math.min(this.#atMs, clock.monotonic() + budgetMs);
    return () => clock.monotonic() >= endMs;
  }

  /** Throws `ReadTooLate`. */
  check(): void {
    const now = this.#clock.monotonic();
    if (now > this.#atMs) throw new ReadTooLate('the deadline of a read has passed');
    if (this.#pause === null || now < this.#pauseAtMs) return;
    this.#pause(PAUSE_MS);
    this.#pauseAtMs = this.#clock.monotonic() + RUN_MS;
  }
}

/**
 * Null where there is no such file. In its queries `in_time(<column of the table that is gone through>)` as the first
 * condition ends them at the deadline: SQLite asks it for each row, and has no other way to be interrupted from here.
 */
export function openForReading(path: string, deadline: ReadDeadline): DatabaseSync | null {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_PATIENCE_MS });
  } catch (error) {
    if (!existsSync(path)) return null;
    throw error;
  }
  database.function('in_time', (_column: unknown) => {
    deadline.check();
    return 1;
  });
  return database;
}
