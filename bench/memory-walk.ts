/**
 * How much of the cores' shared cache is available to this benchmark. If others use it, too, as on
 * rented machines, what does not fit a core's own cache waits for memory, and the subjects suffer from that as unequally
 * as they differ in size. It is measured during the rounds, and reported with the table.
 */
import { quantile } from './statistics.ts';

/** More than a core's own cache, less than what cores share. */
const WALK_BYTES = 4 * 1024 * 1024;
const LINE_BYTES = 64;
const LINES = WALK_BYTES / LINE_BYTES;

export class MemoryWalk {
  /** Each line says which is next, in an unpredictable order. */
  readonly #next = randomCycle(LINES);
  readonly #stepNanos: number[] = [];
  #at = 0;

  /** Walks through everything twice, the second time with what the cache kept; some 5 to 40 ms. */
  measure(): void {
    this.#walk(LINES);
    const before = performance.now();
    this.#walk(LINES);
    this.#stepNanos.push(((performance.now() - before) * 1e6) / LINES);
  }

  /** Null if nothing was measured. */
  words(): string | null {
    if (this.#stepNanos.length === 0) return null;
    const [low, middle, high] = [0.25, 0.5, 0.75].map((fraction) => quantile(this.#stepNanos, fraction).toFixed(0));
    return `a step through 4 MB of memory during the rounds of calls and chunks: ${middle} ns (quartiles ${low} and ${high})`;
  }

  #walk(steps: number): void {
    const next = this.#next;
    let at = this.#at;
    for (let step = 0; step < steps; step += 1) at = next[at] as number;
    // Kept, so that the compiler does not remove the walk as unused.
    this.#at = at;
  }
}

/** One number in each line; followed from any of them they lead through all lines. */
function randomCycle(lines: number): Int32Array {
  const perLine = LINE_BYTES / Int32Array.BYTES_PER_ELEMENT;
  const order = Array.from({ length: lines }, (_, line) => line);
  for (let last = lines - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
  const next = new Int32Array(lines * perLine);
  order.forEach((line, index) => {
    next[line * perLine] = (order[(index + 1) % lines] as number) * perLine;
  });
  return next;
}
