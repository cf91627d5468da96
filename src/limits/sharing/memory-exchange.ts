/** An exchange within the process: the model that the others must behave like, and what tests of limits use. */
import type { CountAnswer, CountBatch, CountExchange, ScopeRef, StoredCounts } from '../ports.ts';

export class MemoryExchange implements CountExchange {
  readonly name = 'memory';
  readonly periodMs = 100;
  /** Set while it is away. */
  problem: Error | null = null;
  /** How many counts it was sent. */
  received = 0;
  readonly #now: () => number;
  /** By scope, then by counter. */
  readonly #stored = new Map<string, Map<string, StoredCounts>>();
  readonly #announced = new Map<string, ScopeRef & { readonly at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async exchange({ counter, minute, day, heardAt, counts, announced }: CountBatch): Promise<CountAnswer> {
    if (this.problem !== null) throw this.problem;
    const nowMs = this.#now();
    this.received += counts.length;
    for (const { scope, id } of announced) this.#announced.set(nameOf({ scope, id }), { scope, id, at: nowMs });
    const others = counts.map((own) => {
      const name = nameOf(own);
      const ofScope = this.#stored.get(name) ?? new Map<string, StoredCounts>();
      this.#stored.set(name, ofScope);
      const { scope: _scope, id: _id, ...given } = own;
      ofScope.set(counter, { ...given, minute, day, sentAt: nowMs });
      for (const [other, stored] of ofScope)
        if (stored.minute < minute - 1 && (stored.day < day || stored.today === 0)) ofScope.delete(other);
      return [...ofScope].flatMap(([other, stored]) => (other === counter ? [] : [stored]));
    });
    const heard = [...this.#announced.values()].filter(({ at }) => at >= heardAt);
    return { nowMs, others, announced: heard.map(({ scope, id }) => ({ scope, id })) };
  }

  /** Forgets everything. */
  flush(): void {
    this.#stored.clear();
    this.#announced.clear();
  }
}

function nameOf({ scope, id }: ScopeRef): string {
  return `${scope} ${id}`;
}
