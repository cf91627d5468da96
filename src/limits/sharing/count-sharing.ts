/**
 * Exchanges counts with the other nodes, in the background: no call ever waits for it. The first exchange that works is used, Valkey before
 * the database. One that fails, or does not answer in time, rests, longer each time. While none works, every limit is divided by the number
 * of nodes.
 */
import type { Clock, Timer } from '../../core/clock.ts';
import type { CountExchange, SettledToday } from '../ports.ts';
import type { SharedLimits, TakenBatch } from './shared-limits.ts';

/** Nobody waits meanwhile, so a slow exchange is better than none; but a hung one keeps the next from being used. */
const ANSWER_MS = 300;
const FIRST_REST_MS = 500;
const REST_MAX_MS = 10_000;
/** Older counts of others are not relied on. */
const KNOWN_MS = 3_000;
/** If there is no exchange at all. */
const PERIOD_MS = 1_000;

export interface CountSharingParts {
  readonly limits: SharedLimits;
  /** The best first. */
  readonly exchanges: readonly CountExchange[];
  readonly settled: SettledToday | null;
  readonly clock: Clock;
  /** 16 hexadecimal digits, new for each process. */
  readonly counter: string;
  /** Called when an exchange fails, and when it works again. */
  readonly onChange: (change: ExchangeChange) => void;
}

export interface ExchangeChange {
  readonly exchange: string;
  readonly state: 'failing' | 'good';
  readonly cause: unknown;
}

export class CountSharing {
  readonly #parts: CountSharingParts;
  readonly #ways: readonly Way[];
  #goodAt: number | null = null;
  #timer: Timer | null = null;
  #round: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: CountSharingParts) {
    this.#parts = parts;
    this.#ways = parts.exchanges.map((exchange) => ({ exchange, restsUntil: 0, restMs: 0, heardAt: 0 }));
  }

  /** Resolves after the first round, whatever comes of it; others follow. */
  async start(): Promise<void> {
    await this.exchange();
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#round;
  }

  /** One round. Never rejects. */
  exchange(): Promise<void> {
    this.#round ??= this.#exchange().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  async #exchange(): Promise<void> {
    const { limits } = this.#parts;
    for (const way of this.#ways) {
      if (this.#now < way.restsUntil) continue;
      if (await this.#send(way, limits.take())) break;
    }
    limits.setAway(this.#goodAt === null || this.#now - this.#goodAt >= KNOWN_MS);
  }

  /** Returns whether it worked. */
  async #send(way: Way, taken: TakenBatch): Promise<boolean> {
    const { limits, counter } = this.#parts;
    try {
      const answer = await this.#withinTime(way.exchange.exchange({ ...taken.batch, counter, heardAt: way.heardAt }));
      limits.apply(taken, answer);
      way.heardAt = answer.nowMs;
      this.#goodAt = this.#now;
      if (way.restMs > 0) this.#report(way, 'good', null);
      way.restMs = 0;
    } catch (cause) {
      limits.putBack(taken);
      if (way.restMs === 0) this.#report(way, 'failing', cause);
      way.restMs = Math.min(REST_MAX_MS, Math.max(FIRST_REST_MS, 2 * way.restMs));
      way.restsUntil = this.#now + way.restMs;
      return false;
    }
    await this.#askLedger(taken);
    return true;
  }

  /** The requests of the day that were counted before this process, or before the exchange lost them. */
  async #askLedger(taken: TakenBatch): Promise<void> {
    const { limits, settled } = this.#parts;
    const scopes = limits.unsettled(taken);
    if (settled === null || scopes.length === 0) return;
    const { day } = taken.batch;
    try {
      const calls = await this.#withinTime(settled.callsOf(scopes, day));
      for (const [index, scope] of scopes.entries()) limits.settled(scope, calls[index] ?? 0, day);
    } catch {
      // It is asked again when the scope is sent again; the database itself reports why it is away.
    }
  }

  #withinTime<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = this.#parts.clock.after(ANSWER_MS, () => reject(new Error(`no answer within ${ANSWER_MS} ms`)));
      promise.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  #schedule(): void {
    if (this.#isClosed) return;
    const way = this.#ways.find(({ restsUntil }) => this.#now >= restsUntil) ?? this.#ways[0];
    this.#timer = this.#parts.clock.after(way?.exchange.periodMs ?? PERIOD_MS, () => {
      void this.exchange().then(() => this.#schedule());
    });
  }

  #report({ exchange }: Way, state: ExchangeChange['state'], cause: unknown): void {
    this.#parts.onChange({ exchange: exchange.name, state, cause });
  }

  get #now(): number {
    return this.#parts.clock.monotonic();
  }
}

/** An exchange, and how it does. Times are monotonic, ms. */
interface Way {
  readonly exchange: CountExchange;
  restsUntil: number;
  /** 0 if it works. */
  restMs: number;
  /** By its own clock. */
  heardAt: number;
}
