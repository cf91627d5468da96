/**
 * Looks at the calls that have just ended before it asks the storage: their records may not be written yet, and they
 * are those that callers ask for, right after the answer.
 */
import type { AccountId, CallId } from '../core/ids.ts';
import type {
  ActivityQuery,
  ActivityRow,
  CallOwner,
  CallRecord,
  CallsPage,
  CallsQuery,
  FirstBytes,
  FirstBytesQuery,
  MovementsPage,
  MovementsQuery,
  StatsReader,
  UsageQuery,
  UsageReport,
} from './ports.ts';
import type { Recorder } from './recorder.ts';

export class RecentFirst implements StatsReader {
  readonly #recorder: Pick<Recorder, 'find'>;
  readonly #reader: StatsReader;

  constructor(recorder: Pick<Recorder, 'find'>, reader: StatsReader) {
    this.#recorder = recorder;
    this.#reader = reader;
  }

  activity(query: ActivityQuery): Promise<readonly ActivityRow[]> {
    return this.#reader.activity(query);
  }

  async call(id: CallId): Promise<CallRecord | null> {
    return this.#recorder.find((record) => record.callId === id) ?? this.#reader.call(id);
  }

  async callByUpstreamId(upstreamId: string, owner: CallOwner): Promise<CallRecord | null> {
    const { accountId, projectId } = owner;
    const recent = this.#recorder.find(
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

  firstBytes(query: FirstBytesQuery): Promise<ReadonlyMap<string, FirstBytes>> {
    return this.#reader.firstBytes(query);
  }

  calls(query: CallsQuery): Promise<CallsPage> {
    return this.#reader.calls(query);
  }

  movements(query: MovementsQuery): Promise<MovementsPage> {
    return this.#reader.movements(query);
  }

  firstCall(accountId: AccountId): Promise<CallRecord | null> {
    return this.#reader.firstCall(accountId);
  }
}
