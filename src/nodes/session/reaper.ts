/**
 * Declares nodes lost that were not seen for `LOST_AFTER_MS`, so that what was lent to them can be lent again. Only a node that has
 * had unbroken contact for `CONTACT_MS` does so: one that returns after an outage of the database sees everybody's old times, and would
 * declare lost who returns at the same moment.
 */
import type { Clock } from '../../core/clock.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { NodeBank, NodePlace } from '../ports.ts';
import { LOST_AFTER_MS } from './fence.ts';

export const CONTACT_MS = 30_000;
const EVERY_MS = 5_000;
/** Between two answered pulses; more is a break, as when the process was suspended. */
const BREAK_MS = 5_000;

export interface ReaperParts {
  readonly bank: Pick<NodeBank, 'reap'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly onLost: (slots: readonly number[]) => void;
  /** It could not be asked: called for the first failure of a row. */
  readonly onProblem: (error: Error) => void;
  /** It can be asked again, after it could not for this long. */
  readonly onAnswered: (afterMs: number) => void;
}

export class Reaper {
  readonly #parts: ReaperParts;
  readonly #outage: Outage;
  #contactSince: number | null = null;
  #lastAnswer = 0;
  #lastReap = Number.NEGATIVE_INFINITY;
  #reaping: Promise<void> = Promise.resolve();

  constructor(parts: ReaperParts) {
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
  }

  /** A pulse of the node was answered in its place. */
  answered(place: NodePlace): void {
    const now = this.#parts.clock.monotonic();
    if (this.#contactSince === null || now - this.#lastAnswer > BREAK_MS) this.#contactSince = now;
    this.#lastAnswer = now;
    if (now - this.#contactSince < CONTACT_MS || now - this.#lastReap < EVERY_MS) return;
    this.#lastReap = now;
    this.#reaping = this.#reap(place);
  }

  /** A pulse failed, or found that the place is another's. */
  failed(): void {
    this.#contactSince = null;
  }

  /** Resolves when none is under way. */
  settled(): Promise<void> {
    return this.#reaping;
  }

  async #reap(place: NodePlace): Promise<void> {
    const { bank, onLost, onProblem, onAnswered } = this.#parts;
    try {
      const slots = await bank.reap(place, LOST_AFTER_MS);
      if (slots.length > 0) onLost(slots);
      const lastedMs = this.#outage.worked();
      if (lastedMs !== null) onAnswered(lastedMs);
    } catch (error) {
      if (this.#outage.failed()) onProblem(error as Error);
    }
  }
}
