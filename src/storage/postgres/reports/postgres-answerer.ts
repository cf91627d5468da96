/** Answers reports from PostgreSQL, on two connections, or from a replica. */
import type { Clock } from '../../../core/clock.ts';
import { QuestionReader, type ReaderTimes } from '../../stats/question-reader.ts';
import { ThreadAnswerer } from '../../threads/thread-answerer.ts';
import type { ReportSource } from './report-source.ts';

/** Each has a connection. */
const EXPORTS_AT_ONCE_MAX = 4;

export interface PostgresReaderParts extends ReaderTimes {
  readonly source: ReportSource;
  readonly clock: Clock;
  /** As of `ThreadAnswererParts`. */
  readonly onReach: (trouble: string | null) => void;
  /** Resolves when all settlements of this node so far are in the database. */
  readonly drainSettlements: () => Promise<void>;
  /** Resolves when all records of this node so far are in the database. */
  readonly drainRecords: () => Promise<void>;
}

/** The threads have a connection each, which they open when they are first asked. */
export function openPostgresReader({ source, clock, onReach, ...parts }: PostgresReaderParts): QuestionReader {
  const answerer = new ThreadAnswerer({
    reader: { file: new URL('./reader-worker.ts', import.meta.url), data: source },
    exporter: exporterOf(source),
    exportsAtOnceMax: EXPORTS_AT_ONCE_MAX,
    onReach,
    clock,
  });
  return new QuestionReader({ ...parts, clock, answerer });
}

/** The code of the thread that reads exports. */
export function exporterOf(source: ReportSource) {
  return { file: new URL('./export-worker.ts', import.meta.url), data: source };
}
