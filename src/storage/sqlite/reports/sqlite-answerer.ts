/** Answers reports from SQLite files. */
import type { Clock } from '../../../core/clock.ts';
import { QuestionReader, type ReaderTimes } from '../../stats/question-reader.ts';
import { ThreadAnswerer } from '../../threads/thread-answerer.ts';
import type { ReaderPaths } from './reader-paths.ts';

export interface SqliteReaderParts extends ReaderTimes {
  readonly paths: ReaderPaths;
  readonly clock: Clock;
  /** Resolves when all records so far are on disk. */
  readonly drainRecords: () => Promise<void>;
}

/** Close it before the writers close their files. */
export function openSqliteReader({ paths, clock, ...parts }: SqliteReaderParts): QuestionReader {
  const answerer = new ThreadAnswerer({
    reader: { file: new URL('./reader-worker.ts', import.meta.url), data: paths },
    exporter: exporterOf(paths),
    clock,
  });
  return new QuestionReader({ ...parts, clock, answerer });
}

/** The code of the thread that reads exports. */
export function exporterOf(paths: ReaderPaths) {
  return { file: new URL('./export-worker.ts', import.meta.url), data: paths };
}
