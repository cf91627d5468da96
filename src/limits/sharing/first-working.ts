/**
 * Several ways to the same end, the best first: the first one that works is used. One that fails, or does not answer in time, rests, longer
 * each time, so that nobody waits for it again and again.
 */
import type { Clock } from '../../core/clock.ts';

const FIRST_REST_MS = 500;
const REST_MAX_MS = 10_000;

export interface WayChange {
  readonly way: string;
  readonly state: 'failing' | 'good';
  /** Null if it works again. */
  readonly cause: unknown;
}

export interface FirstWorkingParts<Way> {
  readonly ways: readonly Way[];
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** How long one may take, ms. */
  readonly answerMs: number;
  /** Called once when a way fails, and once when it works again. */
  readonly onChange: (change: WayChange) => void;
}

/** `place`: the server behind it, as operators read it: `Valkey at host:port`. */
export interface NamedWay {
  readonly name: string;
  readonly place?: string;
}

export class FirstWorking<Way extends NamedWay> {
  readonly #parts: FirstWorkingParts<Way>;
  readonly #rests: Map<Way, Rest>;

  constructor(parts: FirstWorkingParts<Way>) {
    this.#parts = parts;
    this.#rests = new Map(parts.ways.map((way) => [way, { until: 0, ms: 0 }]));
  }

  /** The one that would be used now; null if all of them rest. */
  get current(): Way | null {
    for (const [way, { until }] of this.#rests) if (this.#now >= until) return way;
    return null;
  }

  /** Resolves to what the first way that works answered; null if none does. `use` is called again for each way that is tried. */
  async attempt<Result>(use: (way: Way) => Promise<Result>): Promise<Result | null> {
    for (const [way, rest] of this.#rests) {
      if (this.#now < rest.until) continue;
      try {
        const result = await this.withinTime(use(way), way.place ?? way.name);
        if (rest.ms > 0) this.#parts.onChange({ way: way.name, state: 'good', cause: null });
        rest.ms = 0;
        return result;
      } catch (cause) {
        if (rest.ms === 0) this.#parts.onChange({ way: way.name, state: 'failing', cause });
        rest.ms = Math.min(REST_MAX_MS, Math.max(FIRST_REST_MS, 2 * rest.ms));
        rest.until = this.#now + rest.ms;
      }
    }
    return null;
  }

  /** Rejects if the promise has not settled in time; `who` did not answer then. */
  withinTime<Result>(promise: Promise<Result>, who: string): Promise<Result> {
    const { clock, answerMs } = this.#parts;
    return new Promise((resolve, reject) => {
      const timer = clock.after(answerMs, () => reject(new Error(`${who} did not answer within ${answerMs} ms`)));
      promise.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  get #now(): number {
    return this.#parts.clock.monotonic();
  }
}

interface Rest {
  /** Monotonic, ms. */
  until: number;
  /** 0 if it works. */
  ms: number;
}
