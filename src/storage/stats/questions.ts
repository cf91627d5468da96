/** The questions of reports, as plain values that can be sent to another thread or machine. Each engine has one answerer. */
import type { AccountId, CallId } from '../../core/ids.ts';
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
  StatsExports,
  UsageExport,
  UsageGroupsPage,
  UsageGroupsQuery,
  UsageQuery,
  UsageReport,
  UsageRow,
} from '../../stats/ports.ts';

/** `searchMs` is the time after which a list returns what it has found. */
export type StatsQuestion =
  | { readonly type: 'activity'; readonly query: ActivityQuery; readonly rowsMax: number }
  | { readonly type: 'call'; readonly id: CallId }
  | { readonly type: 'upstream'; readonly upstreamId: string; readonly owner: CallOwner }
  | { readonly type: 'usage'; readonly query: UsageQuery }
  | { readonly type: 'usageGroups'; readonly query: UsageGroupsQuery }
  | { readonly type: 'firstBytes'; readonly query: FirstBytesQuery }
  | { readonly type: 'calls'; readonly query: CallsQuery; readonly searchMs: number }
  | { readonly type: 'movements'; readonly query: MovementsQuery; readonly searchMs: number }
  | { readonly type: 'months'; readonly query: MonthsQuery }
  | { readonly type: 'firstCall'; readonly accountId: AccountId; readonly nowMs: number };

export interface StatsAnswers {
  readonly activity: readonly ActivityRow[];
  readonly call: CallRecord | null;
  readonly upstream: CallRecord | null;
  readonly usage: UsageReport;
  readonly usageGroups: UsageGroupsPage;
  readonly firstBytes: ReadonlyMap<string, FirstBytes>;
  readonly calls: CallsPage;
  readonly movements: MovementsPage;
  readonly months: MonthsPage;
  readonly firstCall: CallRecord | null;
}

export type ExportQuestion =
  | { readonly type: 'movements'; readonly query: MovementsExport }
  | { readonly type: 'usage'; readonly query: UsageExport }
  | { readonly type: 'calls'; readonly query: CallsExport };

export type ExportBatch = MovementBatch | readonly UsageRow[] | readonly CallSummary[];

export interface Turn {
  /** Questions take turns by owner; null if the owner is unknown. */
  readonly owner: AccountId | null;
  /** The time left when the turn has come, ms; nothing is read at 0 or less. */
  leftMs(): number;
}

export interface StatsAnswerer extends StatsExports {
  /** Null if it was not read in time. Rejects if it could not be read. */
  answer<Question extends StatsQuestion>(
    question: Question,
    turn: Turn,
  ): Promise<{ readonly found: StatsAnswers[Question['type']] } | null>;
  /** Resolves when all reads have ended. */
  close(): Promise<void>;
}

/** The account that asks; null for the lookup of a call by id, which is quick and may be anybody's. */
export function ownerOf(question: StatsQuestion): AccountId | null {
  if (question.type === 'call') return null;
  if (question.type === 'upstream') return question.owner.accountId;
  if (question.type === 'usageGroups') return question.query.query.accountId;
  return question.type === 'firstCall' ? question.accountId : question.query.accountId;
}
