/**
 * Rows that are kept in memory and cannot be read: damaged, changed by hand, or written by a newer version. One of them must neither prevent
 * a start nor hold up the others. What it describes is refused or not served; each is reported once for as long as it stays unreadable, and
 * once more when it was corrected or is gone.
 */
import type { Clock } from '../../core/clock.ts';
import { UnreadableRow } from '../../core/feed.ts';
import type { StorageProblem } from '../storage.ts';

interface Known {
  readonly row: UnreadableRow;
  /** Monotonic, ms. */
  readonly since: number;
}

export class UnreadableRows {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #rows = new Map<string, Known>();
  #onProblem: ((problem: StorageProblem) => void) | null = null;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** `onProblem` is called for those that are known, for each new one, and when one is not unreadable any more. Must not throw. */
  reportTo(onProblem: (problem: StorageProblem) => void): void {
    this.#onProblem = onProblem;
    for (const { row } of this.#rows.values()) onProblem({ type: 'row_unreadable', count: 1, cause: row });
  }

  /** What `read` returns; `otherwise` if it cannot. `what` and `id` say which row it is: `alias`, 7. */
  read<Thing>(what: string, id: number | string, read: () => Thing, otherwise: () => Thing): Thing {
    const place = `${what} ${id}`;
    try {
      const thing = read();
      if (this.#rows.size > 0) this.#over(place);
      return thing;
    } catch (error) {
      const row = error instanceof UnreadableRow ? error : new UnreadableRow(what, id, error);
      if (!this.#rows.has(place)) {
        this.#rows.set(place, { row, since: this.#clock.monotonic() });
        this.#onProblem?.({ type: 'row_unreadable', count: 1, cause: row });
      }
      return otherwise();
    }
  }

  /** A row that is gone is not unreadable any more. */
  forget(what: string, id: number | string): void {
    this.#over(`${what} ${id}`);
  }

  /** Sentences that name them. */
  list(): readonly string[] {
    return [...this.#rows.values()].map(({ row: { message } }) => message);
  }

  #over(place: string): void {
    const known = this.#rows.get(place);
    if (known === undefined) return;
    this.#rows.delete(place);
    const overAfterMs = Math.round(this.#clock.monotonic() - known.since);
    this.#onProblem?.({ type: 'row_unreadable', count: 1, cause: known.row, overAfterMs });
  }
}
