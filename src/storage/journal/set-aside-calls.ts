/** What the bank has refused, at a node that runs: remembers why, and sends it again when an operator asks for it. */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../core/clock.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { SentAgain, SetAside, SetAsideList } from '../../nodes/ports.ts';
import type { Gate } from '../sqlite/engine/gate.ts';
import type { StorageProblem } from '../storage.ts';
import type { JournalRows } from './journal-rows.ts';
import type { Outbox } from './outbox.ts';
import { listSetAside } from './set-aside.ts';

export interface SetAsideParts {
  readonly database: DatabaseSync;
  readonly rows: JournalRows;
  readonly outbox: Outbox;
  readonly nextId: () => number;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Resolves to whether the bank has answered for everything within the time given. */
  readonly forwardAll: (withinMs: number) => Promise<boolean>;
  readonly onProblem: (problem: StorageProblem) => void;
}

/** Between two such parts commits are written. */
const MOVED_AT_ONCE = 200;

export class SetAsideCalls implements SetAside {
  readonly #parts: SetAsideParts;
  readonly #outage: Outage;
  /** What the bank said of each batch, by its id. */
  readonly #reasons = new Map<number, string>();

  constructor(parts: SetAsideParts) {
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
  }

  /** A batch is set aside. */
  refused(id: number, reason: string): void {
    this.#outage.failed();
    this.#reasons.set(id, reason);
  }

  list(max: number): SetAsideList {
    return listSetAside(this.#parts.database, max, (id) => this.#reasons.get(id) ?? null);
  }

  async sendAgain(withinMs: number): Promise<SentAgain> {
    const { outbox, forwardAll, onProblem } = this.#parts;
    const { lastId } = outbox;
    const sent = await this.#bringBack(lastId);
    for (const id of this.#reasons.keys()) if (id <= lastId) this.#reasons.delete(id);
    const isAnswered = await forwardAll(withinMs);
    const { count: refused } = this.list(0);
    const overAfterMs = isAnswered && refused === 0 ? this.#outage.worked() : null;
    if (overAfterMs !== null) onProblem({ type: 'settlement_refused', count: sent, cause: null, overAfterMs });
    return { sent, refused, isAnswered };
  }

  /** What was set aside up to this batch is among what is sent. Returns how many calls. */
  async #bringBack(lastId: number): Promise<number> {
    const { rows, outbox, nextId, gate } = this.#parts;
    for (let sent = 0; ; ) {
      const release = await gate.acquire();
      try {
        const moved = rows.bringBack(lastId, MOVED_AT_ONCE, nextId);
        for (const each of moved) {
          outbox.addStored(each);
          sent += each.calls;
        }
        if (moved.length < MOVED_AT_ONCE) return sent;
      } finally {
        release();
      }
    }
  }
}
