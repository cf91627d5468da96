/**
 * Seals a month of the ledger: its rows move to an archive, and the closing balances stay. First the archive is written to
 * disk, then one transaction writes the seals and deletes the rows; if interrupted, it is repeated from the start.
 * Run it on a separate thread; while the transaction runs, settlements wait for it.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SealReport } from '../../../billing/maintenance-ports.ts';
import { assert } from '../../../core/assert.ts';
import { GatewayError } from '../../../core/errors.ts';
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import { checkMonth, firstDayOfMonth, monthText } from '../../sql/ledger/ledger-months.ts';
import { archivePath, DATABASE_FILE } from '../files.ts';
import { NO_SUMS, type SealSums, sealSumsOf, totalOf } from './seal-sums.ts';
import { openingBalances, readSeals, type Seals } from './seals.ts';
import { type WrittenArchive, writeArchive } from './write-archive.ts';

const DAY_MS = 86_400_000;
/** The longest calls of the month have ended after this time. */
export const SETTLED_AFTER_MS = 2 * 3_600_000;
/** Other locks are short: commits, and checkpoints of some milliseconds. */
const LOCK_WAIT_MS = 10_000;

export interface SealOptions {
  readonly folder: string;
  readonly month: string;
  readonly nowMs: number;
  /** For tests: called between the steps; may throw. */
  readonly onStep?: (step: 'archived' | 'deleted') => void;
}

/** Throws `GatewayError`: `invalid_value` if `month` is not a month; `conflict`, with the reason, if it cannot be sealed. */
export function sealMonth({ folder, month, nowMs, onStep }: SealOptions): SealReport {
  checkMonth(month);
  const fromMs = firstDayOfMonth(month) * DAY_MS;
  const toMs = firstDayOfMonth(month, 1) * DAY_MS;
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { timeout: LOCK_WAIT_MS });
  try {
    database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY');
    const seals = readSeals(database);
    const known = seals.get(month);
    if (known !== undefined) return sealedBefore(folder, month, known.size);
    checkReady(database, seals, { month, fromMs, toMs, nowMs });
    const where = rowsOfMonth(fromMs, toMs);
    const archive = writeArchive(folder, month, where);
    onStep?.('archived');
    const accounts = moveOut(database, archive, seals, { month, where, toMs, nowMs, onStep });
    const { settlements, entries, path } = archive;
    return { month, accounts, settlements, entries, archive: path, wasSealed: false };
  } finally {
    database.close();
  }
}

/** The report of a month that is sealed; throws `conflict` if its archive is missing. */
export function sealedBefore(folder: string, month: string, accounts: number): SealReport {
  const path = archivePath(folder, month);
  if (!existsSync(path))
    throw refusal(`${month} is sealed, and its archive is missing: ${path}. Restore it from a backup.`);
  const archive = new DatabaseSync(path, { readOnly: true });
  try {
    const count = (table: string) =>
      (archive.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }).count;
    return {
      month,
      accounts,
      settlements: count('settlements'),
      entries: count('entries'),
      archive: path,
      wasSealed: true,
    };
  } finally {
    archive.close();
  }
}

interface Span {
  readonly month: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
}

function checkReady(database: DatabaseSync, seals: Seals, { month, fromMs, toMs, nowMs }: Span): void {
  if (nowMs < toMs + SETTLED_AFTER_MS)
    throw refusal(`${month} can be sealed from ${new Date(toMs + SETTLED_AFTER_MS).toISOString()}.`);
  const last = [...seals.keys()].at(-1);
  if (last !== undefined && last > month) throw refusal(`${last} is sealed already; months are sealed in order.`);
  checkHolds(database, toMs);
  const oldest = oldestRow(database, last === undefined ? 0 : firstDayOfMonth(last, 1) * DAY_MS);
  if (oldest === null || oldest >= toMs) throw refusal(`There is nothing to seal in ${month}.`);
  if (oldest < fromMs) throw refusal(`Months are sealed in order: seal ${monthText(oldest)} first.`);
}

function checkHolds(database: DatabaseSync, toMs: number): void {
  const open = database.prepare('SELECT 1 FROM holds WHERE admitted_at < ? LIMIT 1').get(toMs);
  if (open !== undefined) throw refusal('A call of that month still has an open hold; try again when it has finished.');
}

/**
 * The time of the first call or entry from `sealedMs` on, ms, or null. Calls that were admitted while the machine's clock was in a month that is sealed
 * stay in the ledger: the seals do not count them.
 */
function oldestRow(database: DatabaseSync, sealedMs: number): number | null {
  const { call, entry } = database
    .prepare(
      `SELECT (SELECT admitted_at FROM settlements WHERE call_id >= ? AND admitted_at >= ? ORDER BY call_id LIMIT 1) AS call,
         (SELECT min(at) FROM entries WHERE at >= ?) AS entry`,
    )
    .get(callIdBytes(firstCallIdAt(Math.max(0, sealedMs - DAY_MS))), sealedMs, sealedMs) as {
    call: number | null;
    entry: number | null;
  };
  const times = [call, entry].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** Call ids begin with their time, so only ids around the month are read. */
function rowsOfMonth(fromMs: number, toMs: number): { readonly settlements: string; readonly entries: string } {
  const id = (ms: number) => `x'${callIdBytes(firstCallIdAt(ms)).toString('hex')}'`;
  return {
    settlements: `call_id >= ${id(Math.max(0, fromMs - DAY_MS))} AND call_id < ${id(toMs + DAY_MS)} AND admitted_at >= ${fromMs} AND admitted_at < ${toMs}`,
    entries: `at >= ${fromMs} AND at < ${toMs}`,
  };
}

interface MoveOptions {
  readonly month: string;
  readonly where: { readonly settlements: string; readonly entries: string };
  readonly toMs: number;
  readonly nowMs: number;
  readonly onStep: SealOptions['onStep'];
}

/** Returns the number of accounts with a closing balance. */
function moveOut(
  database: DatabaseSync,
  archive: WrittenArchive,
  seals: Seals,
  { month, where, toMs, nowMs, onStep }: MoveOptions,
): number {
  const moved = movedIn(archive.path, seals);
  database.exec('BEGIN IMMEDIATE');
  try {
    checkHolds(database, toMs);
    const insert = database.prepare(
      `INSERT INTO seals (month, account_id, topups_nano, promos_nano, adjustments_nano, refunds_nano, charges_nano,
         closing_balance_nano, rows, hash, sealed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const [account, { opening, sums }] of moved) {
      const { rows, hash } = archive.digests.get(account) ?? NO_ROWS;
      const { topups, promos, adjustments, refunds, charges } = sums;
      const kinds = [topups, promos, adjustments, refunds, charges];
      insert.run(month, account, ...kinds, opening + totalOf(sums), rows, Buffer.from(hash, 'hex'), nowMs);
    }
    const deleted = (table: 'settlements' | 'entries') =>
      Number(database.prepare(`DELETE FROM ${table} WHERE ${where[table]}`).run().changes);
    assert(deleted('settlements') === archive.settlements, 'the deleted settlements are those of the archive');
    assert(deleted('entries') === archive.entries, 'the deleted entries are those of the archive');
    onStep?.('deleted');
    database.exec('COMMIT');
    return moved.size;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The digest of an account without rows in the month. */
export const NO_ROWS = { rows: 0, hash: createHash('sha256').digest('hex') };

/** The opening balance and the movements of the month, for all accounts that ever had a row. */
export function movedIn(
  path: string,
  seals: Seals,
): Map<number, { readonly opening: bigint; readonly sums: SealSums }> {
  const opened = openingBalances(seals);
  const moved = new Map([...opened].map(([account, opening]) => [account, { opening, sums: NO_SUMS }]));
  const archive = new DatabaseSync(path, { readOnly: true });
  try {
    for (const [account, sums] of sealSumsOf(archive)) moved.set(account, { opening: opened.get(account) ?? 0n, sums });
    return moved;
  } finally {
    archive.close();
  }
}

export function refusal(message: string): GatewayError {
  return new GatewayError('conflict', { message });
}
