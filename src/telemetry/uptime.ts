/**
 * Which share of the calls to a model at a provider were answered. Rate limits of the provider do not count, as in OpenRouter's figures:
 * https://openrouter.ai/docs/features/uptime-optimization. Since the program started, and by this node's calls only.
 */
import { FAILED, GOOD, OutcomeWindow } from './outcome-window.ts';

/** Percent, 0 to 100; null without a call that was answered or failed in that time. */
export interface UptimeFigures {
  readonly last5m: number | null;
  readonly last30m: number | null;
  readonly last1d: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** About 1 kB. */
export class Uptime {
  readonly #halfHour = new OutcomeWindow(30 * MINUTE_MS, MINUTE_MS);
  readonly #day = new OutcomeWindow(24 * HOUR_MS, HOUR_MS);

  /** `nowMs` is monotonic here and below. */
  good(nowMs: number): void {
    this.#halfHour.add(nowMs, GOOD);
    this.#day.add(nowMs, GOOD);
  }

  failed(nowMs: number): void {
    this.#halfHour.add(nowMs, FAILED);
    this.#day.add(nowMs, FAILED);
  }

  /** To the minute; that of a day to the hour. */
  figures(nowMs: number): UptimeFigures {
    return {
      last5m: percent(this.#halfHour.sums(nowMs, 5 * MINUTE_MS)),
      last30m: percent(this.#halfHour.sums(nowMs)),
      last1d: percent(this.#day.sums(nowMs)),
    };
  }
}

/** To a hundredth, rounded down: only what never failed has 100. */
function percent({ good, failed }: { readonly good: number; readonly failed: number }): number | null {
  return good + failed === 0 ? null : Math.floor((good / (good + failed)) * 10_000) / 100;
}
