/**
 * Logs failures of requests. In an outage every request fails, for the same reason: the first few of a kind have a line each, the rest of a
 * minute has one, with their number.
 */
import type { Clock } from '../core/clock.ts';
import type { Log } from './log.ts';

export interface FailureLogParts {
  readonly log: Pick<Log, 'error'>;
  readonly clock: Pick<Clock, 'after'>;
}

export interface Failure {
  /** What is counted together: the cause, without what differs from request to request. */
  readonly kind: string;
  /** Of the line. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const LINES_MAX = 3;
const PERIOD_MS = 60_000;
/** A failure of a kind beyond these counts as one of them. */
const KINDS_MAX = 100;
const OTHERS = 'others';

interface Counted {
  lines: number;
  /** Without a line of their own. */
  more: number;
  last: Failure['facts'];
}

export class FailureLog {
  readonly #parts: FailureLogParts;
  readonly #kinds = new Map<string, Counted>();

  constructor(parts: FailureLogParts) {
    this.#parts = parts;
  }

  note({ kind, facts }: Failure): void {
    const counted = this.#counted(this.#kinds.has(kind) || this.#kinds.size < KINDS_MAX ? kind : OTHERS);
    if (counted.lines < LINES_MAX) {
      counted.lines += 1;
      this.#parts.log.error(facts, 'failed');
    } else {
      counted.more += 1;
      counted.last = facts;
    }
  }

  #counted(kind: string): Counted {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const counted: Counted = { lines: 0, more: 0, last: {} };
    this.#kinds.set(kind, counted);
    this.#parts.clock.after(PERIOD_MS, () => this.#periodIsOver(kind, counted));
    return counted;
  }

  /** While it goes on, there is a line a minute; after a minute without it, it is a new one. */
  #periodIsOver(kind: string, counted: Counted): void {
    const { more, last } = counted;
    if (more === 0) return void this.#kinds.delete(kind);
    counted.more = 0;
    this.#parts.log.error({ ...last, count: more }, 'failed');
    this.#parts.clock.after(PERIOD_MS, () => this.#periodIsOver(kind, counted));
  }
}
