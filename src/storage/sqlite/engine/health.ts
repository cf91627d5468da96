/**
 * Whether calls can be settled. Fails closed: after trouble with the disk, new calls are refused.
 * A full disk and a lock are temporary, and health is restored by the first write that succeeds; after any
 * other trouble nothing that this process reads or writes can be trusted, so a restart is required.
 */
import type { Clock } from '../../../core/clock.ts';
import { Outage } from '../../../core/trouble/outage.ts';
import type { StorageProblem } from '../../storage.ts';
import { isDiskTrouble, isFull } from './sqlite-errors.ts';

const DISK_FULL = 'The disk of the data folder is full; free some space, and calls resume automatically.';

export class Health {
  readonly #onProblem: (problem: StorageProblem) => void;
  #problem: string | null = null;
  #lasting = false;
  readonly #outage: Outage;
  /** What began the trouble, and how many rows it has concerned since. */
  #type: StorageProblem['type'] = 'commit_failed';
  #rows = 0;

  constructor(onProblem: (problem: StorageProblem) => void, clock: Pick<Clock, 'monotonic'>) {
    this.#onProblem = onProblem;
    this.#outage = new Outage(clock);
  }

  state(): 'ready' | { readonly problem: string } {
    return this.#problem === null ? 'ready' : { problem: this.#problem };
  }

  written(): void {
    if (this.#problem === null || this.#lasting) return;
    this.#problem = null;
    const overAfterMs = this.#outage.worked() ?? 0;
    this.#onProblem({ type: this.#type, count: this.#rows, cause: null, overAfterMs });
    this.#rows = 0;
  }

  /** Rows were refused. An error of the rows themselves does not change health. */
  failed(error: unknown, rows: number): void {
    this.#onProblem({ type: 'commit_failed', count: rows, cause: error });
    if (!isDiskTrouble(error)) return;
    this.#begin('commit_failed', rows);
    if (!this.#lasting && isFull(error)) this.#problem = DISK_FULL;
    else this.#distrust(error);
  }

  /** What was written may not have reached the disk; it is not known what did. */
  notSynced(error: unknown, rows: number): void {
    this.#onProblem({ type: 'commit_failed', count: rows, cause: error });
    this.#distrust(error);
  }

  /** The disk is full, and rows are written to the space of the ballast. */
  short(error: unknown, rows: number): void {
    this.#onProblem({ type: 'disk_full', count: rows, cause: error });
    this.#begin('disk_full', rows);
    this.#problem ??= DISK_FULL;
  }

  /** Rows have waited long for another program's lock. */
  delayed(rows: number): void {
    if (this.#problem !== null) return;
    const problem = 'Another program has locked the database; close it, and calls resume automatically.';
    this.#problem = problem;
    this.#begin('commit_delayed', rows);
    this.#onProblem({ type: 'commit_delayed', count: rows, cause: new Error(problem) });
  }

  #begin(type: StorageProblem['type'], rows: number): void {
    if (this.#outage.failed()) this.#type = type;
    this.#rows += rows;
  }

  #distrust(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#lasting = true;
    this.#problem = `The database cannot be trusted after a failure (${reason}); fix the disk and restart.`;
  }
}
