/**
 * Exchanges counts and shares with the other nodes, in the background: no call ever waits for it. The first exchange that works is used,
 * Valkey before the database. While none works, every node goes on with its shares.
 */
import type { Clock } from '../../core/clock.ts';
import type { CountAnswer, CountExchange, SettledToday } from '../ports.ts';
import { FirstWorking, type WayChange } from './first-working.ts';
import { Rounds } from './rounds.ts';
import type { SharedLimits, TakenBatch } from './shared-limits.ts';
import { SharesTrust } from './shares-trust.ts';

/** Nobody waits meanwhile, so a slow exchange is better than none; but a hung one keeps the next from being used. */
const ANSWER_MS = 300;
/** Older counts of others are not relied on. */
const KNOWN_MS = 3_000;
/** If there is no exchange that may be tried. */
const PERIOD_MS = 1_000;
/** While a key uses up its share, and others may have some left. */
const URGENT_MS = 250;

export interface CountSharingParts {
  readonly limits: SharedLimits;
  /** The best first. */
  readonly exchanges: readonly CountExchange[];
  readonly settled: SettledToday | null;
  readonly clock: Clock;
  /** 16 hexadecimal digits, new for each process. */
  readonly counter: string;
  /** Called when an exchange fails, and when it works again. */
  readonly onChange: (change: WayChange) => void;
}

export class CountSharing {
  readonly #parts: CountSharingParts;
  readonly #ways: FirstWorking<CountExchange>;
  /** Until when each has been heard, by its own clock. */
  readonly #heardAt = new Map<CountExchange, number>();
  readonly #trust: SharesTrust;
  readonly #rounds: Rounds;
  #goodAt: number;

  constructor(parts: CountSharingParts) {
    const { exchanges, clock, onChange } = parts;
    this.#parts = parts;
    this.#ways = new FirstWorking({ ways: exchanges, clock, answerMs: ANSWER_MS, onChange });
    this.#trust = new SharesTrust(clock);
    this.#rounds = new Rounds({ clock, run: () => this.#exchange(), periodMs: () => this.#periodMs() });
    this.#goodAt = clock.monotonic();
  }

  /** Resolves after two rounds, even if they fail; others follow. The second one sends shares of what the first has announced. */
  async start(): Promise<void> {
    await this.exchange();
    await this.exchange();
    this.#rounds.start();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  /** One round. Never rejects. */
  exchange(): Promise<void> {
    return this.#rounds.next();
  }

  async #exchange(): Promise<void> {
    const { limits } = this.#parts;
    const taken = limits.take();
    const answered = await this.#ways.attempt((way) => this.#send(way, taken));
    if (answered === null) limits.putBack(taken);
    else {
      limits.apply(taken, answered.answer, this.#trust.since(answered.way));
      this.#heardAt.set(answered.way, answered.answer.nowMs);
      this.#goodAt = this.#now;
      await this.#askLedger(taken);
    }
    const awayMs = this.#now - this.#goodAt;
    if (awayMs >= KNOWN_MS) limits.away(awayMs);
  }

  async #send(way: CountExchange, { batch, scopes }: TakenBatch): Promise<{ way: CountExchange; answer: CountAnswer }> {
    const { counter } = this.#parts;
    const answer = await this.#trust.follow(
      way,
      way.exchange({ ...batch, counter, heardAt: this.#heardAt.get(way) ?? 0 }),
    );
    if (answer.others.length !== scopes.length) throw new Error('counts of other nodes are missing');
    return { way, answer };
  }

  /** The requests of the day that were counted before this process, or before the exchange lost them. */
  async #askLedger(taken: TakenBatch): Promise<void> {
    const { limits, settled } = this.#parts;
    const scopes = limits.unsettled(taken);
    if (settled === null || scopes.length === 0) return;
    const { day } = taken.batch;
    try {
      const calls = await this.#ways.withinTime(settled.callsOf(scopes, day), 'the ledger');
      for (const [index, scope] of scopes.entries()) limits.settled(scope, calls[index] ?? 0, day);
    } catch {
      // It is asked again when the scope is sent again; the database itself reports why it is away.
    }
  }

  #periodMs(): number {
    const usualMs = this.#ways.current?.periodMs ?? PERIOD_MS;
    return this.#parts.limits.isUrgent ? Math.min(usualMs, URGENT_MS) : usualMs;
  }

  get #now(): number {
    return this.#parts.clock.monotonic();
  }
}
