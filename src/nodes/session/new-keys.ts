/**
 * A key that another node made a moment ago may be unknown here. Before a well-formed unknown key is refused, what changed is read
 * once more. All requests that wait share one reading, and there are at most ten a second: whoever guesses keys costs the database no more.
 */
import type { KeyNews } from '../../accounts/key-news.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { NodeSession } from './node-session.ts';

const EVERY_MS = 100;
const PATIENCE_MS = 2_000;

export interface NewKeysParts {
  readonly session: Pick<NodeSession, 'catchUp' | 'isCutOff'>;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}

export class NewKeys implements KeyNews {
  readonly #parts: NewKeysParts;
  /** A reading that has not begun, which requests can still join. */
  #coming: Promise<boolean> | null = null;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(parts: NewKeysParts) {
    this.#parts = parts;
  }

  /**
   * Resolves once the mirrors have every change that was committed before this call. Throws `GatewayError` 503 if the database cannot be
   * asked: then a key may be good that is unknown here.
   */
  async await(): Promise<void> {
    // Nobody waits for a database that is away.
    if (this.#parts.session.isCutOff) throw new GatewayError('auth_unavailable', { retryAfterSeconds: 1 });
    this.#coming ??= this.#read();
    if (!(await this.#withPatience(this.#coming))) throw new GatewayError('auth_unavailable', { retryAfterSeconds: 1 });
  }

  async #read(): Promise<boolean> {
    const { session, clock } = this.#parts;
    const waitMs = this.#lastAt + EVERY_MS - clock.monotonic();
    if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    // Who comes in this turn of the loop still joins.
    else await Promise.resolve();
    this.#lastAt = clock.monotonic();
    this.#coming = null;
    return session.catchUp();
  }

  async #withPatience(reading: Promise<boolean>): Promise<boolean> {
    let timer: { cancel(): void } | null = null;
    const tooLong = new Promise<boolean>((resolve) => {
      timer = this.#parts.clock.after(PATIENCE_MS, () => resolve(false));
    });
    try {
      return await Promise.race([reading, tooLong]);
    } finally {
      (timer as { cancel(): void } | null)?.cancel();
    }
  }
}
