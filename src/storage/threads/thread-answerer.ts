/** Answers reports on threads, so that the main thread never waits for a report or computes one. */
import type { Clock } from '../../core/clock.ts';
import type { CallsExport, MovementsExport, UsageExport } from '../../stats/ports.ts';
import type { StatsAnswerer, StatsAnswers, StatsQuestion, Turn } from '../stats/questions.ts';
import type { ThreadCode } from './messages.ts';
import { ReaderThreads } from './reader-threads.ts';
import { ThreadExports } from './thread-exports.ts';
import { unavailable } from './unavailable.ts';

export interface ThreadAnswererParts {
  /** Answers `ReaderRequest`s. */
  readonly reader: ThreadCode;
  /** Answers `ExportRequest`s. */
  readonly exporter: ThreadCode;
  readonly exportsAtOnceMax?: number;
  /** Called with why the database of reports cannot be used, where that is known, and with null after it was. Must not throw. */
  readonly onReach?: (trouble: string | null) => void;
  readonly clock: Pick<Clock, 'monotonic'>;
}

const THREADS = 2;

export class ThreadAnswerer implements StatsAnswerer {
  readonly #threads: ReaderThreads;
  readonly #exports: ThreadExports;
  readonly #onReach: (trouble: string | null) => void;

  constructor({ reader, exporter, exportsAtOnceMax, onReach = () => undefined, clock }: ThreadAnswererParts) {
    this.#onReach = onReach;
    this.#threads = new ReaderThreads(reader, THREADS);
    this.#exports = new ThreadExports({
      code: exporter,
      clock,
      onReach,
      ...(exportsAtOnceMax !== undefined && { atOnceMax: exportsAtOnceMax }),
    });
  }

  answer<Question extends StatsQuestion>(
    question: Question,
    { owner, leftMs }: Turn,
  ): Promise<{ readonly found: StatsAnswers[Question['type']] } | null> {
    return this.#threads.inTurn(owner, async (ask) => {
      const budgetMs = leftMs();
      if (budgetMs <= 0) return null;
      const reply = await ask({ type: 'read', question, budgetMs });
      if (reply.type === 'late') return null;
      if (reply.type === 'unavailable') {
        if (reply.reason !== null) this.#onReach(reply.reason);
        throw unavailable();
      }
      if (reply.type === 'failed') throw new Error(`a report could not be read: ${reply.reason}`);
      this.#onReach(null);
      return { found: reply.found as StatsAnswers[Question['type']] };
    });
  }

  allMovements(query: MovementsExport) {
    return this.#exports.allMovements(query);
  }

  allUsage(query: UsageExport) {
    return this.#exports.allUsage(query);
  }

  allCalls(query: CallsExport) {
    return this.#exports.allCalls(query);
  }

  async close(): Promise<void> {
    await Promise.all([this.#threads.close(), this.#exports.close()]);
  }
}
