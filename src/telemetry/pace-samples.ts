/**
 * How fast a provider has lately streamed: the time to its first token, and the tokens per second after that, of the last 64 streams of the
 * last ten minutes. Adding is three assignments; the percentiles are computed when they are read, at most once a second.
 */
export interface PaceFigures {
  /** Median, ms. */
  readonly firstTokenMs: number;
  readonly firstTokenP95Ms: number;
  /** Median. */
  readonly tokensPerSecond: number;
}

/** Of the streams of half an hour, as OpenRouter's clients read them. */
export interface PacePercentiles {
  /** ms: this percentage of the streams had their first token by then. */
  readonly firstTokenMs: Percentiles;
  /** Tokens per second: this percentage of the streams was at least as fast. */
  readonly tokensPerSecond: Percentiles;
}

export interface Percentiles {
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p99: number;
}

const KEPT = 64;
const WINDOW_MS = 600_000;
const LONG_WINDOW_MS = 1_800_000;
const FRESH_MS = 1_000;

export class PaceSamples {
  readonly #firstTokens = new Float32Array(KEPT);
  readonly #speeds = new Float32Array(KEPT);
  readonly #times = new Float64Array(KEPT);
  #count = 0;
  #countRead = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #figures: PaceFigures | null = null;

  /** `nowMs` is monotonic here and below. */
  add(nowMs: number, firstTokenMs: number, tokensPerSecond: number): void {
    const at = this.#count % KEPT;
    this.#firstTokens[at] = firstTokenMs;
    this.#speeds[at] = tokensPerSecond;
    this.#times[at] = nowMs;
    this.#count += 1;
  }

  /** Null without a stream in that time. At most a second old. */
  read(nowMs: number): PaceFigures | null {
    if (nowMs - this.#readAt < FRESH_MS && (this.#figures !== null || this.#countRead === this.#count))
      return this.#figures;
    this.#readAt = nowMs;
    this.#countRead = this.#count;
    this.#figures = this.#compute(nowMs);
    return this.#figures;
  }

  /** Of the last 64 streams, as far as they are of the last half hour; null without one. About 5 µs. */
  percentiles(nowMs: number): PacePercentiles | null {
    const sorted = this.#sorted(nowMs, LONG_WINDOW_MS);
    if (sorted === null) return null;
    const { firstTokens, speeds } = sorted;
    return {
      firstTokenMs: percentilesOf((share) => percentile(firstTokens, share)),
      tokensPerSecond: percentilesOf((share) => percentile(speeds, 1 - share)),
    };
  }

  #compute(nowMs: number): PaceFigures | null {
    const sorted = this.#sorted(nowMs, WINDOW_MS);
    if (sorted === null) return null;
    const { firstTokens, speeds } = sorted;
    return {
      firstTokenMs: percentile(firstTokens, 0.5),
      firstTokenP95Ms: percentile(firstTokens, 0.95),
      tokensPerSecond: percentile(speeds, 0.5),
    };
  }

  /** To be used before the next computation; null if there are none in that time. */
  #sorted(
    nowMs: number,
    windowMs: number,
  ): { readonly firstTokens: Float32Array; readonly speeds: Float32Array } | null {
    const kept = Math.min(this.#count, KEPT);
    let recent = 0;
    for (let at = 0; at < kept; at += 1) {
      if (nowMs - (this.#times[at] as number) >= windowMs) continue;
      SORTED_TIMES[recent] = this.#firstTokens[at] as number;
      SORTED_SPEEDS[recent] = this.#speeds[at] as number;
      recent += 1;
    }
    if (recent === 0) return null;
    return {
      firstTokens: SORTED_TIMES.subarray(0, recent).sort(),
      speeds: SORTED_SPEEDS.subarray(0, recent).sort(),
    };
  }
}

function percentilesOf(read: (share: number) => number): Percentiles {
  return { p50: read(0.5), p75: read(0.75), p90: read(0.9), p99: read(0.99) };
}

/** Used by one computation at a time. */
const SORTED_TIMES = new Float32Array(KEPT);
const SORTED_SPEEDS = new Float32Array(KEPT);

/** By the nearest-rank method. */
function percentile(sorted: Float32Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
}
