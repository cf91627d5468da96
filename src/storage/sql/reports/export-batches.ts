/** The batches of exports, each as of one snapshot of the ledger. */
import { callIdFromBytes, callIdTime } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type {
  CallSummary,
  CallsExport,
  CallsPage,
  CallsQuery,
  Month,
  MovementBatch,
  MovementsExport,
  MovementsPage,
  MovementsQuery,
  SealedBalance,
  UsageExport,
  UsageRow,
  UsageSums,
} from '../../../stats/ports.ts';
import type { ExportBatch, ExportQuestion } from '../../stats/questions.ts';
import { firstDayOfMonth } from '../ledger/ledger-months.ts';
import { type CallListParts, listCalls } from './list-calls.ts';
import { listMovements } from './list-movements.ts';
import { monthOfTime } from './month-of-time.ts';
import type { MovementParts } from './read-charges.ts';
import { readMonth } from './read-months.ts';
import { conditionsOf, namesOf } from './read-usage.ts';
import { type BatchSteps, rowOf, type Steps } from './steps.ts';
import { cellsOf } from './usage-cells.ts';
import { type Cell, GroupSums } from './usage-sums.ts';

export interface ExportParts extends Omit<MovementParts, 'searchMs'>, Pick<CallListParts, 'recordsFor'> {
  /** Returns a function that throws if a day of records from this one on was removed since. */
  readonly watchDays: (firstDay: number) => () => void;
}

const BATCH_ROWS = 1_000;
/** The time per batch; other exports take turns in between. */
const BATCH_MS = 100;
const DAY_MS = 86_400_000;
/** Intervals read at a time. */
const PIECE = 24;

/** Must be read from one snapshot of the ledger. */
export function exportBatches(parts: ExportParts, question: ExportQuestion): BatchSteps<ExportBatch> {
  switch (question.type) {
    case 'movements':
      return movementBatches(parts, question.query);
    case 'usage':
      return usageBatches(parts, question.query);
    case 'calls':
      return callBatches(parts, question.query);
  }
}

function* movementBatches(parts: ExportParts, query: MovementsExport): BatchSteps<MovementBatch> {
  const reading: MovementParts = { ...parts, searchMs: BATCH_MS };
  const sealed = parts.rows.isSealed ? null : yield* sealedBefore(query);
  let month = yield* statementOf(parts, query);
  for (let before: MovementsQuery['before'] = null; ; ) {
    const asked: MovementsQuery = { ...query, before, limit: BATCH_ROWS };
    const { movements, next }: MovementsPage = yield* listMovements(reading, asked);
    yield { batch: { movements, month, sealed: next === null ? sealed : null } };
    if (next === null) return;
    before = next;
    month = null;
  }
}

function* statementOf(parts: ExportParts, query: MovementsExport): Steps<Month | null> {
  const day = monthOfTime(query);
  if (day === null || query.kind !== 'all') return null;
  return yield* readMonth(parts, query.accountId, day);
}

/** Null if the time range begins after the last sealed month. */
function* sealedBefore({ accountId, fromMs }: MovementsExport): Steps<SealedBalance | null> {
  const row = yield* rowOf<{ month: string; balance: bigint }>(
    `SELECT month, closing_balance_nano AS balance FROM seals
     WHERE account_id = ? ORDER BY month DESC LIMIT 1`,
    [accountId],
  );
  if (row === null) return null;
  const endMs = firstDayOfMonth(row.month, 1) * DAY_MS;
  return fromMs !== null && fromMs >= endMs ? null : { endMs, balance: nanoUsd(row.balance) };
}

function* usageBatches(parts: ExportParts, query: UsageExport): BatchSteps<readonly UsageRow[]> {
  const conditions = yield* conditionsOf(query);
  if (conditions === null) return;
  let batch: UsageRow[] = [];
  for (const piece of piecesOf(query)) {
    const found = intervalSums(yield* cellsOf(parts, piece.query, conditions));
    const ids = found.map(({ id }) => id);
    const nameOf = yield* namesOf(query.groupBy, [...new Set(ids)]);
    for (const { id, start, sums } of found) {
      batch.push({ start: query.days?.[piece.at + start] ?? start, id: nameOf(id), sums });
      if (batch.length < BATCH_ROWS) continue;
      yield { batch };
      batch = [];
    }
  }
  yield { batch };
}

/** Splits the query into groups of intervals, as an export may cover years. */
function* piecesOf(query: UsageExport): Generator<{ readonly query: UsageExport; readonly at: number }> {
  const { interval, first, end, days } = query;
  if (days !== undefined) {
    for (let at = 0; at + 1 < days.length; at += PIECE) {
      const edges = days.slice(at, at + PIECE + 1);
      yield { query: { ...query, days: edges }, at };
    }
  } else if (interval === 'minute') yield { query, at: 0 };
  else
    for (let from = first; from < end; from += PIECE)
      yield { query: { ...query, first: from, end: Math.min(end, from + PIECE) }, at: 0 };
}

/** Adds up the cells of each interval and group; the cells must be in the order of intervals. */
function intervalSums(cells: readonly Cell[]): { id: bigint; start: number; sums: UsageSums }[] {
  const sums: { id: bigint; start: number; sums: UsageSums }[] = [];
  let groups = new Map<bigint, GroupSums>();
  let start = Number.NaN;
  const close = () => {
    for (const [id, group] of groups) if (group.calls !== 0n) sums.push({ id, start, sums: group.totals() });
  };
  for (const cell of cells) {
    if (cell.start !== start) {
      close();
      groups = new Map();
      start = cell.start;
    }
    const group = groups.get(cell.id) ?? new GroupSums('one', '');
    groups.set(cell.id, group);
    group.add(cell);
  }
  close();
  return sums;
}

function* callBatches(parts: ExportParts, query: CallsExport): BatchSteps<readonly CallSummary[]> {
  const checkDays = parts.watchDays(query.fromMs === null ? 0 : Math.floor(query.fromMs / DAY_MS));
  // Calls that arrive during the export are not in it.
  const newest = yield* newestCallMs();
  const toMs = Math.min(query.toMs ?? newest + 1, newest + 1);
  for (let before: CallsQuery['before'] = null; ; ) {
    const asked: CallsQuery = { ...query, toMs, before, limit: BATCH_ROWS };
    const { calls, next }: CallsPage = yield* listCalls({ ...parts, searchMs: BATCH_MS }, asked);
    checkDays();
    yield { batch: calls };
    if (next === null) return;
    before = next;
  }
}

function* newestCallMs(): Steps<number> {
  const row = yield* rowOf<{ id: Uint8Array }>('SELECT call_id AS id FROM settlements ORDER BY call_id DESC LIMIT 1');
  return row === null ? 0 : callIdTime(callIdFromBytes(row.id));
}
