/** The jobs of ledger maintenance on PostgreSQL, which run on a separate thread with a connection of their own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdoptReport, LedgerRules } from '../../../billing/maintenance-ports.ts';
import { isArchivedReference as isInFile } from '../../sqlite/archive/archived-reference.ts';
import { BACKUP_NOTE } from '../../sqlite/files.ts';
import type { JobSetting, MaintenanceJobs } from '../../sqlite/maintenance/maintenance-job.ts';
import { bringArchives } from '../archive/archive-files.ts';
import { exportTransfers } from '../archive/export-transfers.ts';
import { sealMonth } from '../archive/seal-month.ts';
import { readSeals } from '../verify/read-seals.ts';
import { checkLedger, verifyWithin } from '../verify/verify-ledger.ts';
import { adoptLedger } from './adopt-ledger.ts';
import { backUpSecrets } from './back-up-secrets.ts';
import { MaintenanceConnection } from './maintenance-connection.ts';

export interface PostgresJobSetting extends JobSetting {
  /** Has a password. */
  readonly url: string;
  /** Of a replica, or of the database itself. */
  readonly readUrl: string;
  readonly secrets: { readonly pepper: string; readonly masterKey: string };
}

export interface PostgresJobs extends MaintenanceJobs {
  readonly adopt: { readonly asked: null; readonly report: AdoptReport };
}

type Jobs = {
  readonly [Name in keyof PostgresJobs]: (
    setting: PostgresJobSetting,
    asked: PostgresJobs[Name]['asked'],
  ) => Promise<PostgresJobs[Name]['report']>;
};

const jobs: Jobs = {
  async verify({ readUrl, folder, billingMode, rulesModule, nowMs, longestCallMs }, { archive }) {
    const { ledgerRules: rules } = (await import(rulesModule)) as { readonly ledgerRules: LedgerRules };
    return connected(readUrl, (connection) =>
      connection.snapshot(async () => {
        if (archive) await bringArchives(connection, folder, await readSeals(connection));
        return verifyWithin({ connection, folder, archive, billingMode, rules, times: { nowMs, longestCallMs } });
      }),
    );
  },
  check: ({ readUrl, folder, billingMode }) =>
    connected(readUrl, async (connection) => ({
      ...(await checkLedger({ connection, folder, billingMode })),
      ballast: existsSync(join(folder, 'ballast')),
      backupAt: await lastBackup(connection, folder),
    })),
  seal: ({ url, folder, nowMs }, { month }) =>
    connected(url, (connection) => sealMonth({ connection, folder, month, nowMs })),
  transfers: ({ readUrl, folder }, query) =>
    connected(readUrl, (connection) => exportTransfers(connection, folder, query)),
  backup: ({ folder, nowMs, secrets }, asked) =>
    backUpSecrets({ from: folder, to: asked.folder, secrets: asked.secrets ? secrets : null, nowMs }),
  isArchivedReference: ({ url, folder }, { accountId, reference }) =>
    connected(url, async (connection) => {
      const found = await connection.rows('select from archived_entries where account_id = $1 and reference = $2', [
        accountId,
        reference,
      ]);
      // Months that were sealed before the ledger moved here are in files only.
      return found.length > 0 || isInFile(folder, [...(await readSeals(connection)).keys()], accountId, reference);
    }),
  adopt: ({ url }) => connected(url, adoptLedger),
};

export function runPostgresJob<Name extends keyof PostgresJobs>(
  name: Name,
  asked: PostgresJobs[Name]['asked'],
  setting: PostgresJobSetting,
): Promise<PostgresJobs[Name]['report']> {
  return jobs[name](setting, asked);
}

async function connected<Result>(
  url: string,
  work: (connection: MaintenanceConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await MaintenanceConnection.open(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** What the database archived last, if it does; otherwise the last backup by a command. */
async function lastBackup(connection: MaintenanceConnection, folder: string): Promise<number | null> {
  const [archiver] = await connection.rows<{ at: bigint | null }>(
    'select (extract(epoch from last_archived_time) * 1000)::bigint as at from pg_stat_archiver',
  );
  if (archiver !== undefined && archiver.at !== null) return Number(archiver.at);
  const path = join(folder, BACKUP_NOTE);
  if (!existsSync(path)) return null;
  return Date.parse((JSON.parse(readFileSync(path, 'utf8')) as { readonly at: string }).at);
}
