/** What is stored of calls in addition to their settlements, and the reports about both. */
import type { Clock } from '../../core/clock.ts';
import type { QuestionReader, ReaderTimes } from '../stats/question-reader.ts';
import type { StorageProblem } from '../storage.ts';
import { PostgresCaptures } from './captures/postgres-captures.ts';
import type { PostgresConnections } from './engine/connections.ts';
import { isDatabaseTrouble } from './engine/postgres-errors.ts';
import { PostgresRecords } from './records/postgres-records.ts';
import { beginRun, markComplete } from './records/rebuild-records.ts';
import { openPostgresReader } from './reports/postgres-answerer.ts';
import { Replica } from './reports/replica.ts';

export interface StoredCallsParts {
  readonly connections: PostgresConnections;
  /** With passwords, so they are never printed; `readUrl` is a replica for reports, null for the same server. */
  readonly url: string;
  readonly readUrl: string | null;
  readonly clock: Clock;
  /** Null for a command, which makes no calls. */
  readonly node: RecordingNode | null;
  readonly recordsBytesMax: number;
  readonly capturesBytesMax: number;
  readonly reports?: ReaderTimes;
  readonly onProblem: (problem: StorageProblem) => void;
  /** Resolves when the settlements of this node so far are in the database, or after a moment if that is not possible. */
  readonly drainSettlements: () => Promise<void>;
}

export interface RecordingNode {
  /** Of its journal. */
  readonly id: string;
  /** Its place, as it is now. */
  readonly slot: () => number;
  /** The number of holds that have just become settlements, which have no records, however the last run ended. */
  readonly recovered: number;
}

export interface StoredCalls {
  readonly records: PostgresRecords;
  readonly captures: PostgresCaptures;
  readonly stats: QuestionReader;
  /** Close it after the last settlement is in the database, and before the connections. */
  close(): Promise<void>;
}

/** Call it before calls are settled: it starts to rebuild what a crash of this node left without records. */
export async function openStoredCalls(parts: StoredCallsParts): Promise<StoredCalls> {
  const { connections, clock, node, onProblem, drainSettlements } = parts;
  const records = new PostgresRecords({
    role: connections.records,
    clock,
    slot: node?.slot ?? (() => 0),
    bytesMax: parts.recordsBytesMax,
    onProblem,
    afterSettlements: drainSettlements,
  });
  const missing = node === null ? null : await beginRun(connections.records, node);
  if (missing !== null) records.rebuild(missing);
  const captures = new PostgresCaptures({
    role: connections.records,
    clock,
    bytesMax: parts.capturesBytesMax,
    onProblem,
  });
  const replica =
    parts.readUrl === null ? null : new Replica({ database: connections.control, replica: connections.reports, clock });
  const stats = openPostgresReader({
    source: { url: parts.readUrl ?? parts.url },
    clock,
    drainRecords: () => records.drain(),
    async drainSettlements() {
      await drainSettlements();
      // Without it the report itself says that the database is away.
      await replica?.caughtUp().catch(() => undefined);
    },
    ...parts.reports,
  });
  return {
    records,
    captures,
    stats,
    async close() {
      await stats.close();
      const isComplete = await records.close();
      await captures.close();
      if (isComplete && node !== null) await markIfPossible(connections, node.id);
    },
  };
}

/** If the mark cannot be written, the next start searches and finds that nothing is missing. */
async function markIfPossible({ records }: PostgresConnections, node: string): Promise<void> {
  try {
    await markComplete(records, node);
  } catch (error) {
    if (!isDatabaseTrouble(error)) throw error;
  }
}
