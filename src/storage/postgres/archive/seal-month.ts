/**
 * Seals a month on PostgreSQL. First its rows are written to the archive's file, from a snapshot; then one short transaction writes the seals and
 * takes the month's partition out of the ledger, which nobody waits for longer than a moment. If interrupted, it is repeated from the start.
 */
import type { SealReport } from '../../../billing/maintenance-ports.ts';
import { callIdFromBytes, callIdTime } from '../../../core/ids.ts';
import { checkMonth, monthText } from '../../sql/ledger/ledger-months.ts';
import { movedIn, NO_ROWS, refusal, SETTLED_AFTER_MS, sealedBefore } from '../../sqlite/archive/seal-month.ts';
import { totalOf } from '../../sqlite/archive/seal-sums.ts';
import type { Seals } from '../../sqlite/archive/seals.ts';
import type { WrittenArchive } from '../../sqlite/archive/write-archive.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';
import { readSeals } from '../verify/read-seals.ts';
import { bringArchives } from './archive-files.ts';
import {
  archivedTable,
  liveRows,
  type MonthTimes,
  partitionOf,
  postedWithin,
  settledWithin,
  timesOf,
} from './month-tables.ts';
import { writeArchiveFile } from './write-archive-file.ts';

export interface PostgresSealOptions {
  readonly connection: MaintenanceConnection;
  readonly folder: string;
  readonly month: string;
  readonly nowMs: number;
  /** For tests: called between the steps; may throw. */
  readonly onStep?: (step: 'archived' | 'moved') => void;
}

/** The partition is locked for as long as the counting of its rows takes, and the ledger for a moment. */
const LOCK_ATTEMPTS = 5;
const LOCK_NOT_AVAILABLE = '55P03';

/** Throws `GatewayError`: `invalid_value` if `month` is not a month; `conflict`, with the reason, if it cannot be sealed. */
export async function sealMonth(options: PostgresSealOptions): Promise<SealReport> {
  const { connection, folder, month, nowMs, onStep } = options;
  checkMonth(month);
  const times = timesOf(month);
  const prepared = await connection.snapshot(async () => {
    const seals = await readSeals(connection);
    const known = seals.get(month);
    if (known !== undefined) {
      await bringArchives(connection, folder, new Map([[month, known]]));
      return sealedBefore(folder, month, known.size);
    }
    await checkReady(connection, seals, { month, nowMs, ...times });
    return { seals, archive: await writeArchiveFile(connection, folder, month, liveRows(times)) };
  });
  if ('wasSealed' in prepared) return prepared;
  onStep?.('archived');
  const { archive, seals } = prepared;
  const accounts = await moveOut(options, archive, seals, times);
  const { settlements, entries, path } = archive;
  return { month, accounts, settlements, entries, archive: path, wasSealed: false };
}

interface Asked extends MonthTimes {
  readonly month: string;
  readonly nowMs: number;
}

async function checkReady(connection: MaintenanceConnection, seals: Seals, asked: Asked): Promise<void> {
  const { month, fromMs, toMs, nowMs } = asked;
  if (nowMs < toMs + SETTLED_AFTER_MS)
    throw refusal(`${month} can be sealed from ${new Date(toMs + SETTLED_AFTER_MS).toISOString()}.`);
  const last = [...seals.keys()].at(-1);
  if (last !== undefined && last > month) throw refusal(`${last} is sealed already; months are sealed in order.`);
  await checkNodes(connection, toMs);
  const oldest = await oldestRow(connection);
  if (oldest === null || oldest >= toMs) throw refusal(`There is nothing to seal in ${month}.`);
  if (oldest < fromMs) throw refusal(`Months are sealed in order: seal ${monthText(oldest)} first.`);
}

/** Every node must have sent its settlements of the month. What a lost node brings later becomes an entry of its day. */
async function checkNodes(connection: MaintenanceConnection, toMs: number): Promise<void> {
  const [behind] = await connection.rows<{ name: string; at: bigint }>(
    "select name, unsent_from as at from nodes where state in ('live', 'draining') and unsent_from < $1 order by unsent_from limit 1",
    [toMs],
  );
  if (behind !== undefined)
    throw refusal(
      `The node ${behind.name} has calls since ${new Date(Number(behind.at)).toISOString()} that are not settled in the database; try again when it has sent them.`,
    );
}

/** The time of the first call or entry, ms, or null. */
async function oldestRow(connection: MaintenanceConnection): Promise<number | null> {
  const [found] = await connection.rows<{ call: Uint8Array | null; at: bigint | null }>(
    'select (select call_id from settlements order by call_id limit 1) as call, (select min(at) from entries) as at',
  );
  const { call = null, at = null } = found ?? {};
  const times = [...(call === null ? [] : [callIdTime(callIdFromBytes(call))]), ...(at === null ? [] : [Number(at)])];
  return times.length === 0 ? null : Math.min(...times);
}

async function moveOut(
  options: PostgresSealOptions,
  archive: WrittenArchive,
  seals: Seals,
  times: MonthTimes,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await options.connection.transaction('', () => moveOnce(options, archive, seals, times));
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error;
    }
  }
}

/** Returns the number of accounts with a closing balance. */
async function moveOnce(
  { connection, month, nowMs, onStep }: PostgresSealOptions,
  archive: WrittenArchive,
  seals: Seals,
  times: MonthTimes,
): Promise<number> {
  await connection.rows("select set_config('lock_timeout', '2s', true)");
  // No two months are sealed at once.
  await connection.rows('lock table seals in share row exclusive mode');
  await checkNodes(connection, times.toMs);
  const [partition, archived] = [partitionOf(month), archivedTable(month)];
  const isPartition = await exists(connection, partition);
  if (isPartition) await connection.rows(`lock table ${partition} in share row exclusive mode`);
  const settlements = await count(connection, `settlements where ${settledWithin(times)}`);
  const entries = await count(connection, `entries where ${postedWithin(times)}`);
  if (settlements !== archive.settlements || entries !== archive.entries)
    throw refusal(`A settlement or an entry of ${month} arrived meanwhile; seal it again.`);
  const moved = movedIn(archive.path, seals);
  for (const [account, { opening, sums }] of moved) {
    const { rows, hash } = archive.digests.get(account) ?? NO_ROWS;
    const { topups, promos, adjustments, refunds, charges } = sums;
    await connection.rows(
      `insert into seals (month, account_id, topups_nano, promos_nano, adjustments_nano, refunds_nano, charges_nano,
         closing_balance_nano, rows, hash, sealed_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        ...[month, account, topups, promos, adjustments, refunds, charges, opening + totalOf(sums)],
        ...[rows, Buffer.from(hash, 'hex'), nowMs],
      ],
    );
  }
  await connection.rows(
    `with moved as (delete from entries where ${postedWithin(times)} returning *)
     insert into archived_entries (id, at, account_id, kind, amount_nano, reference, call_id, note)
     select id, at, account_id, kind, amount_nano, reference, call_id, note from moved`,
  );
  if (isPartition) await connection.rows(`alter table settlements detach partition ${partition}`);
  else await connection.rows(`create table ${partition} (like settlements including all)`);
  await connection.rows(`alter table ${partition} rename to ${archived}`);
  // Ids begin with the time at which a call arrived, which may be in the month before that of its admission.
  await connection.rows(
    `with others as (delete from ${archived} where not (${settledWithin(times)}) returning *) insert into settlements select * from others`,
  );
  await connection.rows(
    `with moved as (delete from settlements where ${settledWithin(times)} returning *) insert into ${archived} select * from moved`,
  );
  if ((await count(connection, archived)) !== archive.settlements)
    throw new Error(`${archived} does not have the rows of the archive`);
  onStep?.('moved');
  return moved.size;
}

async function exists(connection: MaintenanceConnection, table: string): Promise<boolean> {
  const [found] = await connection.rows<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table]);
  return found?.exists === true;
}

async function count(connection: MaintenanceConnection, from: string): Promise<number> {
  const [found] = await connection.rows<{ count: bigint }>(`select count(*) as count from ${from}`);
  return Number(found?.count ?? 0n);
}
