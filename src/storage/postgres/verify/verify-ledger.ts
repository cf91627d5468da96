/**
 * Recomputes the whole ledger of a PostgreSQL database and reports every violation, from one snapshot: concurrent writes are neither blocked
 * nor seen. Most sums are added up and compared by the database, on this connection alone, which may be a replica's. Run it on a separate thread.
 */
import type { CheckReport, LedgerRules, VerifyReport } from '../../../billing/maintenance-ports.ts';
import type { Prices } from '../../../billing/ports.ts';
import { readPrices } from '../../sql/prices.ts';
import { ArchiveFiles } from '../../sqlite/archive/ledger-view.ts';
import { Findings } from '../../sqlite/verify/findings.ts';
import { ARCHIVED_AMOUNTS, verifyIntegers } from '../../sqlite/verify/verify-integers.ts';
import { verifyArchives } from '../../sqlite/verify/verify-ledger.ts';
import type { RecordTimes } from '../../sqlite/verify/verify-records.ts';
import { verifySettlements as verifyArchivedSettlements } from '../../sqlite/verify/verify-settlements.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';
import { countUnowned } from './count-unowned.ts';
import { readSeals } from './read-seals.ts';
import { verifyAudit } from './verify-audit.ts';
import { verifyBalances } from './verify-balances.ts';
import { verifyLeases } from './verify-leases.ts';
import { verifyCalls, verifyReferences, verifyRefunds } from './verify-once.ts';
import { verifyRecords } from './verify-records.ts';
import { verifyRollups } from './verify-rollups.ts';
import { verifySettlements } from './verify-settlements.ts';
import { verifySpending } from './verify-spending.ts';
import { verifySpendingBefore } from './verify-spending-before.ts';

export interface PostgresVerifyOptions {
  readonly connection: MaintenanceConnection;
  /** The folder with the archives of sealed months. */
  readonly folder: string;
  /** Whether they are verified too. */
  readonly archive: boolean;
  readonly billingMode: string;
  readonly rules: LedgerRules;
  /** For records of calls; null where there are none, as in the middle of a move. */
  readonly times: RecordTimes | null;
}

/** Within the transaction of the caller, which has one snapshot. */
export async function verifyWithin(options: PostgresVerifyOptions): Promise<VerifyReport> {
  const { connection, folder, archive, billingMode, rules } = options;
  const findings = new Findings();
  const view = new ArchiveFiles(folder, await readSeals(connection), { archive });
  try {
    verifyArchives(view, findings);
    for (const { month, database } of view.present())
      if (!verifyIntegers(database, ARCHIVED_AMOUNTS, findings, `archive of ${month}`))
        return { ...NOTHING_ADDED_UP, violations: findings.violations, violationCount: findings.count };
    const accounts = await verifyBalances(connection, view, billingMode, findings);
    const prices = await pricesOf(connection);
    let settlements = await verifySettlements(connection, prices, rules, findings);
    for (const { database } of view.present())
      settlements += verifyArchivedSettlements(database, prices, rules, findings);
    await verifyRollups(connection, view, findings);
    await verifySpending(connection, view.liveDay, findings);
    await verifySpendingBefore(connection, findings);
    await verifyCalls(connection, view, findings);
    await verifyRefunds(connection, view, findings);
    await verifyLeases(connection, findings);
    await verifyAudit(connection, findings);
    const { times } = options;
    const recorded = times === null ? NO_RECORDS : await verifyRecords(connection, view.liveDay, times, findings);
    return {
      accounts,
      settlements,
      entries: await verifyReferences(connection, view, findings),
      // Holds are in the journals of the nodes.
      holds: 0,
      records: recorded.records,
      missingRecords: recorded.missing,
      unownedSettlements: await countUnowned(connection),
      archives: [...view.present()].length,
      violations: findings.violations,
      violationCount: findings.count,
    };
  } finally {
    view.close();
  }
}

export function verifyLedger(options: PostgresVerifyOptions): Promise<VerifyReport> {
  return options.connection.snapshot(() => verifyWithin(options));
}

/** The quick part of the verification. */
export function checkLedger({
  connection,
  folder,
  billingMode,
}: Pick<PostgresVerifyOptions, 'connection' | 'folder' | 'billingMode'>): Promise<
  Pick<CheckReport, 'violations' | 'accounts' | 'holds' | 'unownedSettlements' | 'sealedThrough'>
> {
  return connection.snapshot(async () => {
    const findings = new Findings();
    const view = new ArchiveFiles(folder, await readSeals(connection), { archive: false });
    const accounts = await verifyBalances(connection, view, billingMode, findings);
    await verifyLeases(connection, findings);
    return {
      violations: findings.violations,
      accounts,
      holds: 0,
      unownedSettlements: await countUnowned(connection),
      sealedThrough: [...view.seals.keys()].at(-1) ?? null,
    };
  });
}

async function pricesOf(connection: MaintenanceConnection): Promise<ReadonlyMap<number, Prices>> {
  const rows = await connection.rows<{ id: number; prices: string }>('select id, prices from price_versions');
  return new Map(rows.map(({ id, prices }) => [id, readPrices(prices)]));
}

const NO_RECORDS = { records: 0, missing: 0 };
const NOTHING_ADDED_UP = {
  ...{ accounts: 0, settlements: 0, entries: 0, holds: 0, records: 0, missingRecords: 0, archives: 0 },
};
