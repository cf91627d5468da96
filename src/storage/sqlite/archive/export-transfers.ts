/**
 * Exports the ledger as transfers, page by page and in order of time: sealed months from their archives, then the rows
 * that are not sealed. A settlement represents its charge, and what the operator absorbed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Transfer, TransferPage, TransferQuery } from '../../../billing/maintenance-ports.ts';
import { GatewayError } from '../../../core/errors.ts';
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import { formatUsd, type Money } from '../../../core/money.ts';
import { firstDayOfMonth } from '../../sql/ledger/ledger-months.ts';
import { bigStatement, openReadOnly } from '../engine/open-read-only.ts';
import { archivePath, DATABASE_FILE } from '../files.ts';
import { subjectOf } from '../verify/verify-settlements.ts';
import { readSeals } from './seals.ts';
import { settlementColumnsIn } from './settlement-columns-in.ts';

const DAY_MS = 86_400_000;
/** The source of rows that are not in an archive. */
export const LIVE = 'live';
const FIRST_CALL = '00'.repeat(16);

/** Where a page ended: the source, and the last call and entry. */
export interface Cursor {
  /** The number of sealed months: sealing moves rows from one source to another. */
  readonly sealed: number;
  readonly source: string;
  /** 32 hexadecimal digits. */
  readonly call: string;
  readonly entry: number;
}

/** Throws `GatewayError`: `invalid_value` for an invalid cursor; `conflict` if an archive of that time is missing. */
export function exportTransfers(folder: string, query: TransferQuery): TransferPage {
  const live = openReadOnly(join(folder, DATABASE_FILE));
  try {
    const step = stepOf([...readSeals(live).keys()], query);
    return pageOf(step, step.source === LIVE ? readPage(live, query, step.start) : readArchive(folder, query, step));
  } finally {
    live.close();
  }
}

/** One page, and what follows it. */
export interface ExportStep {
  /** `live`, or a sealed month. */
  readonly source: string;
  readonly start: Cursor;
  /** The source after this one; null at the end. */
  readonly following: string | null;
}

/** `sealed` are all sealed months, in order. Throws like `exportTransfers`. */
export function stepOf(sealed: readonly string[], query: TransferQuery): ExportStep {
  const sources = [...monthsWithin(sealed, query), LIVE];
  const cursor = query.cursor === null ? null : readCursor(query.cursor);
  if (cursor !== null && cursor.sealed !== sealed.length)
    throw new GatewayError('conflict', {
      message: 'A month was sealed during this export, and its rows have moved. Start the export again.',
    });
  const index = cursor === null ? 0 : sources.indexOf(cursor.source);
  if (index < 0) throw invalidCursor();
  const source = sources[index] as string;
  const start = cursor ?? { sealed: sealed.length, source, call: FIRST_CALL, entry: 0 };
  return { source, start, following: sources[index + 1] ?? null };
}

/** The page in words, with its cursor. */
export function pageOf({ start, following }: ExportStep, page: Page): TransferPage {
  if (page.next !== null) return { transfers: page.transfers, cursor: writeCursor(page.next) };
  const next =
    following === null ? null : writeCursor({ sealed: start.sealed, source: following, call: FIRST_CALL, entry: 0 });
  return { transfers: page.transfers, cursor: next };
}
export interface Page {
  readonly transfers: readonly Transfer[];
  readonly next: Cursor | null;
}

/** Rows of a source, as they are read from either engine. */
export interface SettledRow {
  readonly call: Uint8Array;
  readonly at: bigint;
  readonly account: bigint;
  readonly charge: bigint;
  readonly isHeld: bigint;
  readonly fault: bigint;
  readonly variance: bigint;
  readonly nodeLoss: bigint;
}

export interface EntryRow {
  readonly id: bigint;
  readonly at: bigint;
  readonly account: bigint;
  readonly kind: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly call: Uint8Array | null;
}

function readPage(database: DatabaseSync, query: TransferQuery, start: Cursor): Page {
  const { fromMs, toMs, accountId, limit } = query;
  const account = accountId === null ? '' : `AND account_id = ${accountId}`;
  const after = firstCall(query, start);
  // A month that was sealed before the column was added has none.
  const nodeLoss = settlementColumnsIn(database, 'main').includes('node_loss_nano') ? 'node_loss_nano' : '0';
  const settled = bigStatement(
    database,
    `SELECT call_id AS call, admitted_at AS at, account_id AS account, charge_nano AS charge,
       hold_nano IS NOT NULL AS isHeld, fault_nano AS fault, variance_nano AS variance, ${nodeLoss} AS nodeLoss
     FROM settlements WHERE call_id > ? AND admitted_at >= ? AND admitted_at < ? ${account} ORDER BY call_id LIMIT ?`,
  ).all(after, fromMs, toMs, limit) as unknown as SettledRow[];
  const entries = bigStatement(
    database,
    `SELECT id, at, account_id AS account, kind, amount_nano AS amount, reference, call_id AS call
     FROM entries WHERE id > ? AND at >= ? AND at < ? ${account} ORDER BY id LIMIT ?`,
  ).all(start.entry, fromMs, toMs, limit) as unknown as EntryRow[];
  return mergeRows(settled, entries, start, limit);
}

/** The id after which calls are read. */
export function firstCall({ fromMs }: TransferQuery, start: Cursor): Buffer {
  const first = callIdBytes(firstCallIdAt(Math.max(0, fromMs - DAY_MS)));
  const after = Buffer.from(start.call, 'hex');
  return Buffer.compare(first, after) > 0 ? first : after;
}

/** The first rows of both in order of time; each has at most `limit` rows, in the order of their ids. */
export function mergeRows(
  settled: readonly SettledRow[],
  entries: readonly EntryRow[],
  start: Cursor,
  limit: number,
): Page {
  const transfers: Transfer[] = [];
  let [call, entry, rows] = [start.call, start.entry, 0];
  for (let settledAt = 0, entryAt = 0; rows < limit; rows += 1) {
    const settlement = settled[settledAt];
    const posted = entries[entryAt];
    if (posted !== undefined && (settlement === undefined || posted.at <= settlement.at)) {
      transfers.push(ofEntry(posted));
      entry = Number(posted.id);
      entryAt += 1;
    } else if (settlement !== undefined) {
      transfers.push(...ofSettlement(settlement));
      call = Buffer.from(settlement.call).toString('hex');
      settledAt += 1;
    } else return { transfers, next: null };
  }
  return { transfers, next: { ...start, call, entry } };
}

/** Throws `conflict` if the archive is missing. */
export function readArchive(folder: string, query: TransferQuery, { source: month, start }: ExportStep): Page {
  const path = archivePath(folder, month);
  if (!existsSync(path))
    throw new GatewayError('conflict', {
      message: `The archive of ${month} is missing: ${path}. Restore it, or export a later time range.`,
    });
  const archive = openReadOnly(path);
  try {
    return readPage(archive, query, start);
  } finally {
    archive.close();
  }
}

function monthsWithin(sealed: readonly string[], { fromMs, toMs }: TransferQuery): string[] {
  return sealed.filter(
    (month) => firstDayOfMonth(month) * DAY_MS < toMs && firstDayOfMonth(month, 1) * DAY_MS > fromMs,
  );
}

/** Without a hold the charge moved no balance. */
function ofSettlement(row: SettledRow): Transfer[] {
  const moved = [
    { debit: 'available', amount: row.isHeld === 1n ? row.charge : 0n },
    { debit: 'expense:upstream_fault', amount: row.fault },
    { debit: 'expense:variance', amount: row.variance },
    { debit: 'expense:node_loss', amount: row.nodeLoss },
  ];
  return moved
    .filter(({ amount }) => amount !== 0n)
    .map(({ debit, amount }) => transfer(row, { debit, credit: 'revenue', amount, reference: null }));
}

/** A credit debits its source, and a negative amount debits the balance; a refund debits revenue, a late charge credits it. */
function ofEntry(row: EntryRow): Transfer {
  const source = row.kind === 'refund' || row.kind === 'late_charge' ? 'revenue' : row.kind;
  const [debit, credit] = row.amount >= 0n ? [source, 'available'] : ['available', source];
  const amount = row.amount >= 0n ? row.amount : -row.amount;
  return transfer(row, { debit, credit, amount, reference: row.reference });
}

function transfer(
  row: Pick<EntryRow, 'at' | 'account' | 'call'>,
  moved: {
    readonly debit: string;
    readonly credit: string;
    readonly amount: bigint;
    readonly reference: string | null;
  },
): Transfer {
  return {
    time: new Date(Number(row.at)).toISOString(),
    debit: moved.debit,
    credit: moved.credit,
    amount: formatUsd(moved.amount as Money),
    call: row.call === null ? null : subjectOf(row.call),
    reference: moved.reference,
    account: Number(row.account),
  };
}

function writeCursor({ sealed, source, call, entry }: Cursor): string {
  return `${sealed}.${source}.${call}.${entry}`;
}

function readCursor(text: string): Cursor {
  const [, sealed, source, call, entry] = CURSOR.exec(text) ?? [];
  if (source === undefined || call === undefined) throw invalidCursor();
  return { sealed: Number(sealed), source, call, entry: Number(entry) };
}

const CURSOR = /^(\d{1,6})\.(live|\d{4}-\d{2})\.([0-9a-f]{32})\.(\d{1,15})$/;

function invalidCursor(): GatewayError {
  return new GatewayError('invalid_value', {
    message: 'cursor is invalid; use the one from the previous page.',
    param: 'cursor',
  });
}
