/** Lines of a batch that are called again, each from its time on. Every step takes a time that hardly grows with their number. */
import type { LinePlace } from './line-reader.ts';
import { SmallestFirst } from './smallest-first.ts';

interface WaitingLine {
  /** Monotonic, ms. */
  readonly dueAt: number;
  readonly place: LinePlace;
}

export class WaitingLines {
  readonly #lines = new Map<number, WaitingLine>();
  /** Entries whose line was taken, or added anew, since are passed over. */
  readonly #byTime = new SmallestFirst<WaitingLine>(({ dueAt }) => dueAt);
  readonly #due = new SmallestFirst<WaitingLine>(({ place }) => place.number);

  add(place: LinePlace, dueAt: number): void {
    const line = { dueAt, place };
    this.#lines.set(place.number, line);
    this.#byTime.add(line);
  }

  get size(): number {
    return this.#lines.size;
  }

  has(number: number): boolean {
    return this.#lines.has(number);
  }

  /** Whether it may be called now; it waits no longer then. */
  take(number: number, nowMs: number): boolean {
    const line = this.#lines.get(number);
    if (line === undefined || line.dueAt > nowMs) return false;
    this.#lines.delete(number);
    return true;
  }

  /** Of those that may be called now, the first in the order of the input; null without one. */
  firstDue(nowMs: number): LinePlace | null {
    for (let next = this.#byTime.first; next !== null && next.dueAt <= nowMs; next = this.#byTime.first) {
      this.#byTime.removeFirst();
      if (this.#waits(next)) this.#due.add(next);
    }
    for (let next = this.#due.first; next !== null; next = this.#due.first) {
      if (this.#waits(next)) return next.place;
      this.#due.removeFirst();
    }
    return null;
  }

  #waits(line: WaitingLine): boolean {
    return this.#lines.get(line.place.number) === line;
  }
}
