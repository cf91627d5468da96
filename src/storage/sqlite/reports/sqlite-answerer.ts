/** Answers reports from SQLite files, on two threads, so that the main thread never waits for a report. */
import type { Clock } from '../../../core/clock.ts';
import type { CallsExport, MovementsExport, UsageExport } from '../../../stats/ports.ts';
import { QuestionReader, type ReaderTimes } from '../../stats/question-reader.ts';
import type { StatsAnswerer, StatsAnswers, StatsQuestion, Turn } from '../../stats/questions.ts';
import { SqliteExports } from './exports.ts';
import type { ReaderPaths } from './reader-paths.ts';
import { ReaderThreads } from './reader-threads.ts';

const THREADS = 2;

export interface SqliteReaderParts extends ReaderTimes {
  readonly paths: ReaderPaths;
  readonly clock: Clock;
  /** Resolves when all records so far are on disk. */
  readonly drainRecords: () => Promise<void>;
}

/** Close it before the writers close their files. */
export function openSqliteReader({ paths, clock, ...parts }: SqliteReaderParts): QuestionReader {
  return new QuestionReader({ ...parts, clock, answerer: new SqliteAnswerer(paths, clock) });
}

class SqliteAnswerer implements StatsAnswerer {
  readonly #threads: ReaderThreads;
  readonly #exports: SqliteExports;

  constructor(paths: ReaderPaths, clock: Clock) {
    this.#threads = new ReaderThreads(paths, THREADS);
    this.#exports = new SqliteExports({ paths, clock });
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
      if (reply.type === 'failed') throw new Error(`a report could not be read: ${reply.reason}`);
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
