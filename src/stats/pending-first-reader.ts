/**
 * Searches the calls whose records are not written yet before it asks the storage: callers often ask for a call
 * right after its answer.
 */
import type { AccountId, CallId } from '../core/ids.ts';
import type {
  ActivityQuery,
  ActivityRow,
  CallOwner,
  CallRecord,
  CallSummary,
  CallsExport,
  CallsPage,
  CallsQuery,
  FirstBytes,
  FirstBytesQuery,
  MonthsPage,
  MonthsQuery,
  MovementBatch,
  MovementsExport,
  MovementsPage,
  MovementsQuery,
  RecordStore,
  StatsReader,
  UsageExport,
  UsageGroupsPage,
  UsageGroupsQuery,
  UsageQuery,
  UsageReport,
  UsageRow,
} from './ports.ts';

export class PendingFirstReader implements StatsReader {
  readonly #records: Pick<RecordStore, 'waiting'>;
  readonly #reader: StatsReader;

  constructor(records: Pick<RecordStore, 'waiting'>, reader: StatsReader) {
    this.#records = records;
    this.#reader = reader;
  }

  activity(query: ActivityQuery): Promise<readonly ActivityRow[]> {
    return this.#reader.activity(query);
  }

  async call(id: CallId): Promise<CallRecord | null> {
    return this.#records.waiting((record) => record.callId === id) ?? this.#reader.call(id);
  }

  async callByUpstreamId(upstreamId: string, owner: CallOwner): Promise<CallRecord | null> {
    const { accountId, projectId } = owner;
    const recent = this.#records.waiting(
      (record) =>
        record.upstreamId === upstreamId &&
        record.accountId === accountId &&
        (projectId === null || record.projectId === projectId),
    );
    return recent ?? this.#reader.callByUpstreamId(upstreamId, owner);
  }

  usage(query: UsageQuery): Promise<UsageReport> {
    return this.#reader.usage(query);
  }

  usageGroups(query: UsageGroupsQuery): Promise<UsageGroupsPage> {
    return this.#reader.usageGroups(query);
  }

  firstBytes(query: FirstBytesQuery): Promise<ReadonlyMap<string, FirstBytes>> {
    return this.#reader.firstBytes(query);
  }

  calls(query: CallsQuery): Promise<CallsPage> {
    return this.#reader.calls(query);
  }

  movements(query: MovementsQuery): Promise<MovementsPage> {
    return this.#reader.movements(query);
  }

  months(query: MonthsQuery): Promise<MonthsPage> {
    return this.#reader.months(query);
  }

  allMovements(query: MovementsExport): AsyncIterable<MovementBatch> {
    return this.#reader.allMovements(query);
  }

  allUsage(query: UsageExport): AsyncIterable<readonly UsageRow[]> {
    return this.#reader.allUsage(query);
  }

  allCalls(query: CallsExport): AsyncIterable<readonly CallSummary[]> {
    return this.#reader.allCalls(query);
  }

  firstCall(accountId: AccountId): Promise<CallRecord | null> {
    return this.#reader.firstCall(accountId);
  }
}
