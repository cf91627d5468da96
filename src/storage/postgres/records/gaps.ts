/** Time ranges of calls whose records may be missing, to be rebuilt from settlements slice by slice. */

/** Milliseconds since 1970; the end is not included. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A slice is one statement. */
const SLICE_MS = 10_000;

export class Gaps {
  /** All of them as one range: what is lost is lost in a row, and looking where nothing is missing is cheap. */
  #span: TimeSpan | null = null;

  get isEmpty(): boolean {
    return this.#span === null;
  }

  add({ fromMs, toMs }: TimeSpan): void {
    if (toMs <= fromMs) return;
    const known = this.#span ?? { fromMs, toMs };
    this.#span = { fromMs: Math.min(known.fromMs, fromMs), toMs: Math.max(known.toMs, toMs) };
  }

  /** The oldest slice; null if there is none. */
  next(): TimeSpan | null {
    if (this.#span === null) return null;
    const { fromMs, toMs } = this.#span;
    return { fromMs, toMs: Math.min(toMs, fromMs + SLICE_MS) };
  }

  /** What was added before it meanwhile stays. */
  done({ fromMs, toMs }: TimeSpan): void {
    if (this.#span === null || this.#span.fromMs < fromMs) return;
    this.#span = this.#span.toMs <= toMs ? null : { ...this.#span, fromMs: Math.max(this.#span.fromMs, toMs) };
  }
}
