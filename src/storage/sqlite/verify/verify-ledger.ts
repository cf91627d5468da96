/**
 * Recomputes the whole ledger and reports every violation. Reads a snapshot on separate
 * connections: concurrent writes are neither blocked nor seen. Run it on a separate thread.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { CheckReport, LedgerRules, VerifyReport } from '../../../billing/maintenance-ports.ts';
import type { Prices } from '../../../billing/ports.ts';
import type { Clock } from '../../../core/clock.ts';
import { priceVersionId } from '../../../core/ids.ts';
import { SqlPriceStore } from '../../sql/prices.ts';
import type { Schema } from '../../sql/schema.ts';
import { digestRows, WHOLE_ARCHIVE } from '../archive/digest-rows.ts';
import { type ArchiveFiles, LedgerView } from '../archive/ledger-view.ts';
import { Gate } from '../engine/gate.ts';
import { NodeSqliteDialect } from '../engine/kysely-dialect.ts';
import { BACKUP_NOTE } from '../files.ts';
import { Findings } from './findings.ts';
import { verifyBalances, verifyTotals } from './verify-balances.ts';
import { ALL_AMOUNTS, ARCHIVED_AMOUNTS, BALANCES_AND_HOLDS, verifyIntegers } from './verify-integers.ts';
import { verifyCalls, verifyHolds, verifyReferences, verifyRefunds } from './verify-once.ts';
import { verifyRecords } from './verify-records.ts';
import { verifyRollups } from './verify-rollups.ts';
import { type PricesById, priceVersionsOf, verifySettlements } from './verify-settlements.ts';

export interface VerifyOptions {
  /** The data folder. */
  readonly folder: string;
  /** Whether the archives of sealed months are verified too. */
  readonly archive: boolean;
  /** `prepaid`, `postpaid` or `off`. */
  readonly billingMode: string;
  readonly longestCallMs: number;
  /** Wall time, ms. */
  readonly nowMs: number;
  readonly clock: Clock;
  readonly rules: LedgerRules;
}

/** Throws if the database cannot be read. */
export async function verifyLedger(options: VerifyOptions): Promise<VerifyReport> {
  const { folder, clock, longestCallMs, nowMs, rules } = options;
  const findings = new Findings();
  const view = new LedgerView(folder, options);
  try {
    verifySound(view, findings);
    verifyArchives(view, findings);
    if (!verifyAmounts(view, findings)) return { ...NOTHING_ADDED_UP, ...findingsOf(findings) };
    const accounts = verifyBalances(view, options.billingMode, findings);
    verifyTotals(view, findings);
    const prices = await pricesOf(view, clock);
    let settlements = verifySettlements(view.database, prices, rules, findings);
    for (const { database } of view.present()) settlements += verifySettlements(database, prices, rules, findings);
    verifyRollups(view, findings);
    verifyCalls(view, findings);
    verifyRefunds(view, findings);
    const { records, missing } = verifyRecords(folder, view, { nowMs, longestCallMs }, findings);
    return {
      accounts,
      settlements,
      entries: verifyReferences(view, findings),
      holds: verifyHolds(view, nowMs, longestCallMs, findings),
      records,
      missingRecords: missing,
      archives: [...view.present()].length,
      ...findingsOf(findings),
    };
  } finally {
    view.close();
  }
}

/** The quick part of the verification, and other facts for the operator. */
export function checkLedger(options: Omit<VerifyOptions, 'archive' | 'clock' | 'rules'>): CheckReport {
  const { folder, billingMode, longestCallMs, nowMs } = options;
  const findings = new Findings();
  const view = new LedgerView(folder, { archive: false });
  try {
    const isSound = verifyIntegers(view.database, BALANCES_AND_HOLDS, findings);
    const accounts = isSound ? verifyBalances(view, billingMode, findings) : 0;
    const holds = verifyHolds(view, nowMs, longestCallMs, findings);
    return {
      violations: findings.violations,
      accounts,
      holds,
      ballast: statSync(join(folder, 'ballast'), { throwIfNoEntry: false }) !== undefined,
      backupAt: lastBackup(folder),
      sealedThrough: [...view.seals.keys()].at(-1) ?? null,
    };
  } finally {
    view.close();
  }
}

const NOTHING_ADDED_UP = {
  accounts: 0,
  settlements: 0,
  entries: 0,
  holds: 0,
  records: 0,
  missingRecords: 0,
  archives: 0,
};

/** Call it after all checks: the count is as of now. */
function findingsOf({ violations, count }: Findings): Pick<VerifyReport, 'violations' | 'violationCount'> {
  return { violations, violationCount: count };
}

function verifyAmounts(view: LedgerView, findings: Findings): boolean {
  let isSound = verifyIntegers(view.database, ALL_AMOUNTS, findings);
  for (const { month, database } of view.present())
    isSound = verifyIntegers(database, ARCHIVED_AMOUNTS, findings, `archive of ${month}`) && isSound;
  return isSound;
}

/** Uniqueness of references and calls is ensured by indexes, whose integrity is checked here. */
function verifySound({ database }: LedgerView, findings: Findings): void {
  const rows = database.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
  for (const { integrity_check: found } of rows)
    if (found !== 'ok') findings.add('database_sound', 'turnpike.db', found);
}

/** The rows of each archive must be those that were sealed. */
export function verifyArchives(view: ArchiveFiles, findings: Findings): void {
  for (const { month, path, database } of view.archives) {
    if (database === null) {
      findings.add('archive_unchanged', month, `its archive is missing: ${path}`);
      continue;
    }
    const found = digestRows(database, WHOLE_ARCHIVE);
    for (const [account, { rows, hash }] of view.seals.get(month) ?? []) {
      const digest = found.get(account) ?? null;
      found.delete(account);
      if (BigInt(digest?.rows ?? 0) !== rows)
        findings.add(
          'archive_unchanged',
          `${month}, account ${account}`,
          `${rows} rows were sealed, and ${digest?.rows ?? 0} are there`,
        );
      else if (digest !== null && digest.hash !== hash)
        findings.add('archive_unchanged', `${month}, account ${account}`, 'its rows are not those that were sealed');
    }
    for (const account of found.keys())
      findings.add(
        'archive_unchanged',
        `${month}, account ${account}`,
        'the archive has rows of it, and no seal speaks of them',
      );
  }
}

async function pricesOf(view: LedgerView, clock: Clock): Promise<PricesById> {
  const ids = new Set([view.database, ...[...view.present()].map(({ database }) => database)].flatMap(priceVersionsOf));
  const kysely = new Kysely<Schema>({
    dialect: new NodeSqliteDialect({ database: view.database, gate: new Gate(), clock }),
  });
  const store = new SqlPriceStore(kysely, clock);
  const prices = new Map<number, Prices>();
  for (const id of ids) {
    const found = await store.read(priceVersionId(id));
    if (found !== null) prices.set(id, found);
  }
  return prices;
}

/** Wall time of the last backup, ms; null if the folder has no note of one. */
export function lastBackup(folder: string): number | null {
  const path = join(folder, BACKUP_NOTE);
  if (!existsSync(path)) return null;
  const { at } = JSON.parse(readFileSync(path, 'utf8')) as { readonly at: string };
  return Date.parse(at);
}
