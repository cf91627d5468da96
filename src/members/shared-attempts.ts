/**
 * Attempts that all nodes have seen. A refusal holds here until its wait is over without asking again, so a flood of attempts does not become
 * a flood of statements.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { AttemptCounts, AttemptRate, FailureRule } from './attempt-counts.ts';
import type { AttemptStore } from './ports.ts';

const REFUSED_MAX = 10_000;

export class SharedAttempts implements AttemptCounts {
  readonly #store: AttemptStore;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Until when each is refused, monotonic ms; the most recent is last. */
  readonly #refused = new Map<string, number>();

  constructor(store: AttemptStore, clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#store = store;
    this.#clock = clock;
  }

  take(rate: AttemptRate, name: string): Promise<number> {
    return this.#unlessRefused(bucketOf(rate, name), (subject) =>
      this.#store.takeToken(subject, rate, this.#clock.now()),
    );
  }

  async giveBack(rate: AttemptRate, name: string): Promise<void> {
    await this.#store.giveBackToken(digestOf(bucketOf(rate, name)), rate);
  }

  count(rule: FailureRule, subject: string): Promise<number> {
    return this.#unlessRefused(subject, (digest) => this.#store.countFailure(digest, rule, this.#clock.now()));
  }

  async forget(subject: string): Promise<void> {
    await this.#store.forget(digestOf(subject));
  }

  async #unlessRefused(subject: string, ask: (digest: Uint8Array) => Promise<number>): Promise<number> {
    const waitMs = (this.#refused.get(subject) ?? 0) - this.#clock.monotonic();
    if (waitMs > 0) return waitMs;
    const answer = await ask(digestOf(subject));
    this.#refused.delete(subject);
    if (answer <= 0) return 0;
    this.#refused.set(subject, this.#clock.monotonic() + answer);
    if (this.#refused.size > REFUSED_MAX) {
      const oldest = this.#refused.keys().next();
      if (oldest.done !== true) this.#refused.delete(oldest.value);
    }
    return answer;
  }
}

function bucketOf({ kind }: AttemptRate, name: string): string {
  return `rate ${kind}|${name}`;
}

/** Of one size, whatever was sent; and no address is stored. */
function digestOf(subject: string): Uint8Array {
  return createHash('sha256').update(subject).digest();
}
