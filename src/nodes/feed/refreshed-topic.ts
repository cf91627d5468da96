/**
 * Follows what is read again as a whole: the providers with their models and prices, the key ring. It must not hold up other topics: if it
 * fails, it is tried again on its own until it works.
 */
import type { Clock } from '../../core/clock.ts';
import type { FeedChange } from '../../core/feed.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { IsOutdated, TopicFollower } from './feed-follower.ts';

export interface RefreshedTopicParts {
  readonly topics: readonly string[];
  /** Reads it again; does nothing if it is as in memory. `isOther`: what has the same number may still be different. */
  refresh(isOther: boolean): Promise<void>;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** The first failure of a row of them. */
  readonly onProblem: (cause: Error) => void;
  /** It was read, after it could not be for this long. */
  readonly onRead: (afterMs: number) => void;
}

const AGAIN_MS = 1_000;

export class RefreshedTopicFollower implements TopicFollower {
  readonly topics: readonly string[];
  readonly #parts: RefreshedTopicParts;
  #running: Promise<void> | null = null;
  #isDirty = false;
  /** The database went on from another state since it was read last. */
  #isOther = false;
  readonly #outage: Outage;

  constructor(parts: RefreshedTopicParts) {
    this.#outage = new Outage(parts.clock);
    this.#parts = parts;
    this.topics = parts.topics;
  }

  async read(changes: readonly FeedChange[], isOutdated: IsOutdated): Promise<() => void> {
    if (!changes.every(({ topic, id, seq }) => isOutdated(topic, id, seq))) await this.#refresh();
    return () => undefined;
  }

  forgetNumbers(): void {
    this.#isOther = true;
  }

  reload(): Promise<void> {
    return this.#refresh();
  }

  /** Resolves once it was tried with everything that was committed before this call. */
  #refresh(): Promise<void> {
    this.#isDirty = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { refresh, clock, onProblem, onRead } = this.#parts;
    while (this.#isDirty) {
      this.#isDirty = false;
      const isOther = this.#isOther;
      this.#isOther = false;
      try {
        await refresh(isOther);
        const lastedMs = this.#outage.worked();
        if (lastedMs !== null) onRead(lastedMs);
      } catch (error) {
        this.#isOther ||= isOther;
        if (this.#outage.failed()) onProblem(error as Error);
        clock.after(AGAIN_MS, () => void this.#refresh());
        return;
      }
    }
  }
}
