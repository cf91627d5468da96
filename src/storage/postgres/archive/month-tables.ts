/** Where the rows of a month are in PostgreSQL: in the ledger until the month is sealed, and then in tables of their own. */
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import { firstDayOfMonth } from '../../sql/ledger/ledger-months.ts';
import type { MonthSource } from './write-archive-file.ts';

const DAY_MS = 86_400_000;

export interface MonthTimes {
  /** Wall times, ms: from, and up to but not including. */
  readonly fromMs: number;
  readonly toMs: number;
}

export function timesOf(month: string): MonthTimes {
  return { fromMs: firstDayOfMonth(month) * DAY_MS, toMs: firstDayOfMonth(month, 1) * DAY_MS };
}

/** Call ids begin with their time, which is that of admission but for moments. */
export function settledWithin({ fromMs, toMs }: MonthTimes): string {
  const id = (ms: number) => `'\\x${callIdBytes(firstCallIdAt(ms)).toString('hex')}'::bytea`;
  return `call_id >= ${id(Math.max(0, fromMs - DAY_MS))} and call_id < ${id(toMs + DAY_MS)} and admitted_at >= ${fromMs} and admitted_at < ${toMs}`;
}

export function postedWithin({ fromMs, toMs }: MonthTimes): string {
  return `at >= ${fromMs} and at < ${toMs}`;
}

export function liveRows(times: MonthTimes): MonthSource {
  return {
    settlements: `settlements where ${settledWithin(times)}`,
    entries: `entries where ${postedWithin(times)}`,
  };
}

export function archivedRows(month: string): MonthSource {
  return {
    settlements: archivedTable(month),
    entries: `archived_entries where ${postedWithin(timesOf(month))}`,
  };
}

export function partitionOf(month: string): string {
  return `settlements_${month.replace('-', '_')}`;
}

export function archivedTable(month: string): string {
  return `archived_${partitionOf(month)}`;
}
