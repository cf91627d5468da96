/** What is sent to the threads that read reports and exports, and what they answer. */
import type { ExportBatch, ExportQuestion, StatsQuestion } from '../stats/questions.ts';

/** One at a time; each is answered by a `ReaderReply`. */
export type ReaderRequest =
  | { readonly type: 'read'; readonly question: StatsQuestion; readonly budgetMs: number }
  | { readonly type: 'close' };

export type ReaderReply =
  | { readonly type: 'read'; readonly found: unknown }
  | { readonly type: 'late' }
  /** The database cannot be reached, or is not ready; `reason` is a sentence for the operator, where there is one. */
  | { readonly type: 'unavailable'; readonly reason: string | null }
  | { readonly type: 'failed'; readonly reason: string };

/** One at a time; each is answered by an `ExportReply`. */
export type ExportRequest =
  | { readonly type: 'open'; readonly id: number; readonly question: ExportQuestion }
  | { readonly type: 'next'; readonly id: number }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'close' };

export type ExportReply =
  /** `batch` is null after the last one, and for requests other than `next`. */
  | { readonly type: 'batch'; readonly batch: ExportBatch | null }
  | { readonly type: 'unavailable'; readonly reason: string | null }
  | { readonly type: 'failed'; readonly reason: string };

/** A file with the code of threads, and the data that each gets. */
export interface ThreadCode {
  readonly file: URL;
  readonly data: unknown;
}

/** The priority of threads that read, from -20, the highest, to 19: calls take priority over reports for CPU. */
export const READER_NICENESS = 10;
