/**
 * Open load: calls begin at a fixed rate, however long the previous ones take, so that a subject which stalls
 * cannot slow down the measuring program.
 */

/** How often due calls are checked for. */
const PERIOD_MS = 1;

export class Pace {
  readonly #perSecond: number;
  readonly #startMs: number;
  #begun = 0;

  constructor(perSecond: number, startMs: number) {
    this.#perSecond = perSecond;
    this.#startMs = startMs;
  }

  /**
   * The times from which the waits of the calls due since the last check count. A timer may be up to a period
   * late by itself, which is not counted as a wait; any further delay is.
   */
  due(nowMs: number): number[] {
    const count = Math.floor(((nowMs - this.#startMs) * this.#perSecond) / 1000);
    const from: number[] = [];
    for (; this.#begun < count; this.#begun += 1) {
      const dueMs = this.#startMs + ((this.#begun + 1) * 1000) / this.#perSecond;
      from.push(Math.min(nowMs, dueMs + PERIOD_MS));
    }
    return from;
  }
}

/** Rejects with what `begin` throws. Calls `begin` at the rate for the duration, with the time (of `performance.now()`) from which the call's wait counts. */
export function openLoop(perSecond: number, forMs: number, begin: (fromMs: number) => void): Promise<void> {
  const startMs = performance.now();
  const pace = new Pace(perSecond, startMs);
  return new Promise((resolve, reject) => {
    const tick = () => {
      const nowMs = performance.now();
      try {
        for (const fromMs of pace.due(Math.min(nowMs, startMs + forMs))) begin(fromMs);
      } catch (error) {
        clearInterval(timer);
        reject(error);
      }
      if (nowMs < startMs + forMs) return;
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(tick, PERIOD_MS);
  });
}
