/**
 * Calls as they end, for people who watch. The path of a call does nothing for it: as long as somebody watches, the
 * recorder is asked a few times a second what is new. Who reads too slowly misses the oldest, and is told how many.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timer } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId } from '../core/ids.ts';
import { type CallFilter, type CallSummary, isMeant } from './call-list.ts';
import type { CallRecord } from './record.ts';
import type { Recorder } from './recorder.ts';

/**
 * `missed` were not told because the reader was too slow; null where calls ended faster than they were asked for, and
 * nobody knows whose they were.
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
/** In a period: more than anybody reads, and little enough that no call waits for what is told. */
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

  /** How many watch. */
  get size(): number {
    return this.#followers.size;
  }

  /** From now on, until `gone` is aborted. Throws `GatewayError` `shedding` where too many watch already. */
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
        this.#timer = clock.every(PERIOD_MS, () => this.#tell());
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

  /** A follower a turn of the event loop: calls come in between. */
  async #tellInTurns(records: readonly CallRecord[], isComplete: boolean): Promise<void> {
    for (const follower of [...this.#followers]) {
      follower.tell(records, isComplete);
      await nextTurn();
    }
  }

  #tell(): void {
    const { recorder } = this.#parts;
    const { records, sequence } = recorder.since(this.#sequence);
    const isComplete = sequence - this.#sequence === records.length;
    this.#sequence = sequence;
    void this.#tellInTurns(records, isComplete);
  }
}

/** A reader that goes away does not wait for the next call. */
function leaving(leave: () => void, news: AsyncGenerator<LiveNews, undefined>) {
  leave();
  return news.return(undefined);
}

/** What one reader has still to read. */
class Follower {
  readonly #query: LiveQuery;
  readonly #queue: CallSummary[] = [];
  #missed: number | null = 0;
  #isOver = false;
  #waiting: (() => void) | null = null;

  constructor(query: LiveQuery) {
    this.#query = query;
  }

  tell(records: readonly CallRecord[], isComplete: boolean): void {
    if (!isComplete) this.#missed = null;
    for (const record of records) {
      if (record.accountId !== this.#query.accountId || !isMeant(this.#query, record)) continue;
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
