/**
 * Since when what others have said through an exchange may be relied on. A node that used another one, or a server that may have lost what it
 * was sent, knows nothing of shares that were raised there. If every node raises its share only by what all others have said after it
 * last used anything else, no two can raise theirs without one of them knowing of the other.
 */
import type { Clock } from '../../core/clock.ts';
import type { CountExchange } from '../ports.ts';

/** By how much the clocks of nodes may differ. */
const CLOCKS_MS = 500;

export class SharesTrust {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #startedAt: number;
  /** When each was used last, and since when its connection is the same; time of all nodes, ms. */
  readonly #uses = new Map<CountExchange, { usedAt: number; connection: number | undefined; connectedAt: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Settles as `answer` does. An answer that never came may have been given all the same. */
  async follow<Answer>(way: CountExchange, answer: Promise<Answer>): Promise<Answer> {
    const { connection } = way;
    this.#use(way, connection);
    try {
      return await answer;
    } finally {
      this.#use(way, way.connection === connection ? connection : Number.NaN);
    }
  }

  since(way: CountExchange): number {
    let since = Math.max(this.#startedAt, this.#uses.get(way)?.connectedAt ?? 0);
    for (const [other, { usedAt }] of this.#uses) if (other !== way) since = Math.max(since, usedAt);
    return since + CLOCKS_MS;
  }

  #use(way: CountExchange, connection: number | undefined): void {
    const now = this.#clock.now();
    const known = this.#uses.get(way);
    if (known === undefined) this.#uses.set(way, { usedAt: now, connection, connectedAt: now });
    else {
      known.usedAt = now;
      if (Object.is(known.connection, connection)) return;
      known.connection = connection;
      known.connectedAt = now;
    }
  }
}
