/**
 * Rows that are kept in memory and cannot be read: damaged, changed by hand, or written by a newer version. One of them must neither prevent
 * a start nor hold up the others. What it describes is refused or not served; each is reported once for as long as it stays unreadable.
 */
import { UnreadableRow } from '../../core/feed.ts';

export class UnreadableRows {
  readonly #rows = new Map<string, UnreadableRow>();
  #onNew: ((row: UnreadableRow) => void) | null = null;

  /** `onNew` is called for those that are known and for each new one. Must not throw. */
  reportTo(onNew: (row: UnreadableRow) => void): void {
    this.#onNew = onNew;
    for (const row of this.#rows.values()) onNew(row);
  }

  /** What `read` returns; `otherwise` if it cannot. `what` and `id` say which row it is: `alias`, 7. */
  read<Thing>(what: string, id: number | string, read: () => Thing, otherwise: () => Thing): Thing {
    const place = `${what} ${id}`;
    try {
      const thing = read();
      if (this.#rows.size > 0) this.#rows.delete(place);
      return thing;
    } catch (error) {
      const row = error instanceof UnreadableRow ? error : new UnreadableRow(what, id, error);
      if (!this.#rows.has(place)) {
        this.#rows.set(place, row);
        this.#onNew?.(row);
      }
      return otherwise();
    }
  }

  /** A row that is gone is not unreadable any more. */
  forget(what: string, id: number | string): void {
    this.#rows.delete(`${what} ${id}`);
  }

  /** Sentences that name them. */
  list(): readonly string[] {
    return [...this.#rows.values()].map(({ message }) => message);
  }
}
