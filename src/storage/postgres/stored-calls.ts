/** What is stored of calls in addition to their settlements, and the reports about both. */
import type { Clock } from '../../core/clock.ts';
import type { QuestionReader, ReaderTimes } from '../stats/question-reader.ts';
import type { StorageProblem } from '../storage.ts';
import { PostgresCaptures } from './captures/postgres-captures.ts';
import type { PostgresConnections } from './engine/connections.ts';
import { isDatabaseTrouble } from './engine/postgres-errors.ts';
import { PostgresRecords } from './records/postgres-records.ts';
import { beginRun, markComplete } from './records/rebuild-records.ts';
import type { ReplicaAddress } from './replica/checked-replica.ts';
import { Replica } from './replica/replica.ts';
import { ReplicaTrouble } from './replica/replica-trouble.ts';
import { openPostgresReader } from './reports/postgres-answerer.ts';

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
  /** The replica for reports; null if there is none. */
  readonly replica: ReplicaAddress | null;
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
  const { url, readUrl } = parts;
  const replica = readUrl === null ? null : await Replica.open({ connections, url, readUrl, clock });
  const trouble = new ReplicaTrouble((cause) => onProblem({ type: 'replica_unusable', count: 1, cause }));
  // At the start, because the first report may be asked for much later.
  const probed = node === null ? null : replica?.complaint().then((complaint) => trouble.note(complaint));
  const stats = openPostgresReader({
    source: { url: readUrl ?? url, replicaOf: replica?.address.of ?? null },
    clock,
    onReach: (reason) => trouble.note(reason),
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
    replica: replica?.address ?? null,
    async close() {
      await probed;
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
