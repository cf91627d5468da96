/**
 * Calls as they end, for people who watch. It adds no work to a call: as long as somebody watches, the
 * recorder is polled a few times a second. A reader that is too slow misses the oldest calls and learns how many.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timer } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId } from '../core/ids.ts';
import { type CallFilter, type CallSummary, matchesFilter } from './call-list.ts';
import type { CallRecord } from './record.ts';
import type { Recorder } from './recorder.ts';

/**
 * `missed`: the number of calls dropped because the reader was too slow; null if calls ended faster than they were polled, so
 * that it is unknown which of them matched.
 */
export type LiveNews =
  | { readonly type: 'call'; readonly call: CallSummary }
  | { readonly type: 'missed'; readonly calls: number | null };

export interface LiveCallsParts {
  readonly recorder: Pick<Recorder, 'since' | 'follow'>;
  readonly clock: Clock;
}

export interface LiveQuery extends CallFilter {
  readonly accountId: AccountId;
}

const PERIOD_MS = 200;
/** Calls per period: more than anybody can read, and few enough that delivering them delays no call. */
const QUEUE_MAX = 20;
const FOLLOWERS_MAX = 200;
const RETRY_AFTER_SECONDS = 10;

export class LiveCalls {
  readonly #parts: LiveCallsParts;
  readonly #followers = new Set<Follower>();
  #timer: Timer | null = null;
  #sequence = 0;

  constructor(parts: LiveCallsParts) {
    this.#parts = parts;
  }

  /** The number of watchers. */
  get size(): number {
    return this.#followers.size;
  }

  /** Calls that end from now on, until `gone` is aborted. Throws `GatewayError` `shedding` if there are too many watchers. */
  follow(query: LiveQuery, gone: AbortSignal): AsyncIterable<LiveNews> {
    if (this.#followers.size >= FOLLOWERS_MAX)
      throw new GatewayError('shedding', {
        message: 'Too many people watch calls live; try again shortly.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    const { clock, recorder } = this.#parts;
    const follower = new Follower(query);
    if (gone.aborted) follower.end();
    else {
      this.#followers.add(follower);
      if (this.#timer === null) {
        this.#sequence = recorder.follow();
        this.#timer = clock.every(PERIOD_MS, () => this.#poll());
      }
      gone.addEventListener('abort', () => this.#leave(follower), { once: true });
    }
    const news = follower.news();
    const leave = () => this.#leave(follower);
    return { [Symbol.asyncIterator]: () => ({ next: () => news.next(), return: () => leaving(leave, news) }) };
  }

  #leave(follower: Follower): void {
    follower.end();
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** One follower per turn of the event loop, so that calls are processed in between. */
  async #deliver(records: readonly CallRecord[], isComplete: boolean): Promise<void> {
    for (const follower of [...this.#followers]) {
      follower.push(records, isComplete);
      await nextTurn();
    }
  }

  #poll(): void {
    const { recorder } = this.#parts;
    const { records, sequence } = recorder.since(this.#sequence);
    const isComplete = sequence - this.#sequence === records.length;
    this.#sequence = sequence;
    void this.#deliver(records, isComplete);
  }
}

/** A reader that leaves does not wait for the next call. */
function leaving(leave: () => void, news: AsyncGenerator<LiveNews, undefined>) {
  leave();
  return news.return(undefined);
}

/** The queue of one reader. */
class Follower {
  readonly #query: LiveQuery;
  readonly #queue: CallSummary[] = [];
  #missed: number | null = 0;
  #isOver = false;
  #waiting: (() => void) | null = null;

  constructor(query: LiveQuery) {
    this.#query = query;
  }

  push(records: readonly CallRecord[], isComplete: boolean): void {
    if (!isComplete) this.#missed = null;
    for (const record of records) {
      if (record.accountId !== this.#query.accountId || !matchesFilter(this.#query, record)) continue;
      this.#queue.push(record);
      if (this.#queue.length <= QUEUE_MAX) continue;
      this.#queue.shift();
      if (this.#missed !== null) this.#missed += 1;
    }
    if (this.#queue.length > 0 || this.#missed !== 0) this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *news(): AsyncGenerator<LiveNews, undefined> {
    while (!this.#isOver) {
      const next = this.#take();
      if (next !== null) yield next;
      else await new Promise<void>((resolve) => this.#sleep(resolve));
    }
  }

  #take(): LiveNews | null {
    if (this.#missed !== 0) {
      const calls = this.#missed;
      this.#missed = 0;
      return { type: 'missed', calls };
    }
    const call = this.#queue.shift();
    return call === undefined ? null : { type: 'call', call };
  }

  #sleep(wake: () => void): void {
    this.#waiting = wake;
  }

  #wake(): void {
    const wake = this.#waiting;
    this.#waiting = null;
    wake?.();
  }
}
