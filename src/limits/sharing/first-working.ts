/**
 * Several ways to the same end, the best first: the first one that works is used. One that fails, or does not answer in time, rests, longer
 * each time, so that nobody waits for it again and again.
 */
import type { Clock } from '../../core/clock.ts';

const FIRST_REST_MS = 500;
const REST_MAX_MS = 10_000;
/** One that works now and then is reported as failing, and as good, once in this time. */
const REPORT_EVERY_MS = 60_000;

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
  /** Called when a way fails, and when it works again; each at most once a minute. */
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
    this.#rests = new Map(parts.ways.map((way) => [way, new Rest()]));
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
        rest.worked(this.#now);
        this.#report(way, rest, 'good', null);
        return result;
      } catch (cause) {
        rest.failed(this.#now);
        this.#report(way, rest, 'failing', cause);
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

  #report({ name }: Way, { reported }: Rest, state: WayChange['state'], cause: unknown): void {
    const now = this.#now;
    if (reported.state === state || now < reported[state] + REPORT_EVERY_MS) return;
    reported.state = state;
    reported[state] = now;
    this.#parts.onChange({ way: name, state, cause });
  }

  get #now(): number {
    return this.#parts.clock.monotonic();
  }
}

/** Of one way. Times are monotonic, ms. */
class Rest {
  until = 0;
  /** What was reported last, and when each was. */
  readonly reported = {
    state: 'good' as WayChange['state'],
    good: Number.NEGATIVE_INFINITY,
    failing: Number.NEGATIVE_INFINITY,
  };
  /** How long the last one was; 0 if it has worked for a while. */
  #ms = 0;

  failed(now: number): void {
    this.#ms = Math.min(REST_MAX_MS, Math.max(FIRST_REST_MS, 2 * this.#ms));
    this.until = now + this.#ms;
  }

  /** One that fails again soon goes on with long rests. */
  worked(now: number): void {
    if (now >= this.until + REST_MAX_MS) this.#ms = 0;
  }
}
