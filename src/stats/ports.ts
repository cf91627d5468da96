/** What records ask of a storage. */
import type { CallId } from '../core/ids.ts';
import type { CallRecord } from './record.ts';

export type { Attempt, CallRecord } from './record.ts';

export interface RecordQuery {
  /** Only records admitted after this one, oldest first; null starts from the newest `limit`. */
  readonly after: CallId | null;
  readonly limit: number;
}

export interface RecordStore {
  /** Written soon after, not at once: the settle row is the durable fact. Never throws for a full or broken disk; it counts. */
  append(record: CallRecord): void;
  /** Oldest first. */
  tail(query: RecordQuery): Promise<readonly CallRecord[]>;
  /** Resolves when everything appended so far is on disk. */
  drain(): Promise<void>;
}
