import type { GatewayError } from '../../core/errors.ts';
import { tooSlow } from './upload-errors.ts';

/** As for every body: in every such interval as many bytes must arrive. */
const SPAN_MS = 10_000;
const BYTES = 160 * 1024;

/** Whether a form arrives fast enough. Times are monotonic, ms. */
export class ArrivalPace {
  #since: number;
  #received = 0;

  constructor(nowMs: number) {
    this.#since = nowMs;
  }

  /** Begins again: until now, nobody waited for the caller. */
  restart(nowMs: number, received: number): void {
    this.#since = nowMs;
    this.#received = received;
  }

  /** The error for a caller that is too slow; null for one that is not. `received`: all bytes so far. */
  check(nowMs: number, received: number): GatewayError | null {
    if (nowMs - this.#since < SPAN_MS) return null;
    if (received - this.#received < BYTES) return tooSlow('at 16 KiB/s or faster');
    this.restart(nowMs, received);
    return null;
  }
}
