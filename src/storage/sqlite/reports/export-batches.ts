/** Reads the batches of an export from a connection with one snapshot of the ledger. */
import type { DatabaseSync } from 'node:sqlite';
import { callIdFromBytes, callIdTime } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type {
  CallSummary,
  CallsExport,
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
import { firstDayOfMonth } from '../../sql/ledger/ledger-months.ts';
import { listMovements } from '../../sql/reports/list-movements.ts';
import { readMonth } from '../../sql/reports/read-months.ts';
import { conditionsOf, namesOf } from '../../sql/reports/read-usage.ts';
import type { Steps } from '../../sql/reports/steps.ts';
import { cellsOf } from '../../sql/reports/usage-cells.ts';
import { type Cell, GroupSums } from '../../sql/reports/usage-sums.ts';
import { monthOfTime, openArchiveOf } from './archived-rows.ts';
import { daysOf, listCalls } from './list-calls.ts';
import type { ReadDeadline } from './open-for-reading.ts';
import { reportParts, runSteps } from './run-steps.ts';

export type ExportQuestion =
  | { readonly type: 'movements'; readonly query: MovementsExport }
  | { readonly type: 'usage'; readonly query: UsageExport }
  | { readonly type: 'calls'; readonly query: CallsExport };

export type ExportBatch = MovementBatch | readonly UsageRow[] | readonly CallSummary[];

export interface ExportParts {
  /** Within a transaction. */
  readonly ledger: DatabaseSync;
  /** The path of the ledger. */
  readonly ledgerPath: string;
  readonly recordsFolder: string;
  readonly deadline: ReadDeadline;
}

const BATCH_ROWS = 1_000;
/** The time per batch; other exports take turns in between. */
const BATCH_MS = 100;
const DAY_MS = 86_400_000;
/** Intervals read at a time. */
const PIECE = 24;

export function exportBatches(parts: ExportParts, question: ExportQuestion): Generator<ExportBatch> {
  switch (question.type) {
    case 'movements':
      return movementBatches(parts, question.query);
    case 'usage':
      return usageBatches(parts, question.query);
    case 'calls':
      return callBatches(parts, question.query);
  }
}

function* movementBatches(parts: ExportParts, query: MovementsExport): Generator<ExportBatch> {
  const { ledger, ledgerPath, deadline } = parts;
  const archive = openArchiveOf({ ledger, path: ledgerPath, deadline }, query);
  const reading = {
    ...reportParts(deadline),
    rows: archive === null ? 'ledger' : 'archive',
    searchMs: BATCH_MS,
  } as const;
  try {
    const sealed = archive === null ? sealedBefore(ledger, query) : null;
    let month = statementOf(parts, query);
    for (let before: MovementsQuery['before'] = null; ; ) {
      const asked: MovementsQuery = { ...query, before, limit: BATCH_ROWS };
      const { movements, next }: MovementsPage = runSteps({ ledger, archive }, deadline, listMovements(reading, asked));
      yield { movements, month, sealed: next === null ? sealed : null };
      if (next === null) return;
      before = next;
      month = null;
    }
  } finally {
    archive?.close();
  }
}

function statementOf({ ledger, deadline }: ExportParts, query: MovementsExport): Month | null {
  const day = monthOfTime(query);
  if (day === null || query.kind !== 'all') return null;
  return runSteps({ ledger }, deadline, readMonth(reportParts(deadline), query.accountId, day));
}

/** Null if the time range begins after the last sealed month. */
function sealedBefore(ledger: DatabaseSync, { accountId, fromMs }: MovementsExport): SealedBalance | null {
  const row = ledger
    .prepare(
      `SELECT month, CAST(closing_balance_nano AS TEXT) AS balance FROM seals
       WHERE account_id = ? ORDER BY month DESC LIMIT 1`,
    )
    .get(accountId) as { month: string; balance: string } | undefined;
  if (row === undefined) return null;
  const endMs = firstDayOfMonth(row.month, 1) * DAY_MS;
  return fromMs !== null && fromMs >= endMs ? null : { endMs, balance: nanoUsd(BigInt(row.balance)) };
}

function* usageBatches({ ledger, deadline }: ExportParts, query: UsageExport): Generator<readonly UsageRow[]> {
  const run = <Result>(steps: Steps<Result>) => runSteps({ ledger }, deadline, steps);
  const conditions = run(conditionsOf(query));
  if (conditions === null) return;
  let batch: UsageRow[] = [];
  for (const piece of piecesOf(query)) {
    const found = intervalSums(run(cellsOf(reportParts(deadline), piece.query, conditions)));
    const ids = found.map(({ id }) => id);
    const nameOf = run(namesOf(query.groupBy, [...new Set(ids)]));
    for (const { id, start, sums } of found) {
      batch.push({ start: query.days?.[piece.at + start] ?? start, id: nameOf(id), sums });
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
  }
  yield batch;
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

/** Throws if a day was removed since the export began: the oldest days are removed to limit the size of all. */
function* callBatches(parts: ExportParts, query: CallsExport): Generator<readonly CallSummary[]> {
  const { recordsFolder } = parts;
  const firstDay = query.fromMs === null ? 0 : Math.floor(query.fromMs / DAY_MS);
  const days = [...daysOf(recordsFolder)].filter((day) => day >= firstDay);
  // Calls that arrive during the export are not in it.
  const newest = newestCallMs(parts.ledger);
  const toMs = Math.min(query.toMs ?? newest + 1, newest + 1);
  for (let before: CallsQuery['before'] = null; ; ) {
    const asked = { ...query, toMs, before, limit: BATCH_ROWS };
    const { calls, next } = listCalls({ ...parts, searchMs: BATCH_MS }, asked);
    const left = daysOf(recordsFolder);
    if (days.some((day) => !left.has(day))) throw new Error('a day of records was removed during an export');
    yield calls;
    if (next === null) return;
    before = next;
  }
}

function newestCallMs(ledger: DatabaseSync): number {
  const { id } = ledger.prepare('SELECT max(call_id) AS id FROM settlements').get() as { id: Uint8Array | null };
  return id === null ? 0 : callIdTime(callIdFromBytes(id));
}
