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
import { DATABASE_URL, READ_URL, UnusableDatabase } from '../engine/explain-connection.ts';
import { isDatabaseTrouble } from '../engine/postgres-errors.ts';
import { CheckedReplica, type ReplicaAddress } from '../replica/checked-replica.ts';
import { readSeals } from '../verify/read-seals.ts';
import { checkLedger, verifyWithin } from '../verify/verify-ledger.ts';
import { adoptLedger } from './adopt-ledger.ts';
import { backUpSecrets } from './back-up-secrets.ts';
import { MaintenanceConnection } from './maintenance-connection.ts';

export interface PostgresJobSetting extends JobSetting {
  /** Has a password. */
  readonly url: string;
  /** Where to read the ledger, if it can be used; null for the database itself. */
  readonly replica: ReplicaAddress | null;
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
  async verify(setting, { archive }) {
    const { folder, billingMode, rulesModule, nowMs, longestCallMs } = setting;
    const { ledgerRules: rules } = (await import(rulesModule)) as { readonly ledgerRules: LedgerRules };
    return reading(setting, (connection) =>
      connection.snapshot(async () => {
        if (archive) await bringArchives(connection, folder, await readSeals(connection));
        return verifyWithin({ connection, folder, archive, billingMode, rules, times: { nowMs, longestCallMs } });
      }),
    );
  },
  check(setting) {
    const { folder, billingMode } = setting;
    return reading(setting, async (connection) => ({
      ...(await checkLedger({ connection, folder, billingMode })),
      ballast: existsSync(join(folder, 'ballast')),
      backupAt: await lastBackup(connection, folder),
    }));
  },
  seal: ({ url, folder, nowMs }, { month }) =>
    connected(url, (connection) => sealMonth({ connection, folder, month, nowMs })),
  transfers: (setting, query) => reading(setting, (connection) => exportTransfers(connection, setting.folder, query)),
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

/**
 * From the replica; if it cannot be used, or ends the work because of what it replays, from the database, with a note that says why: whoever
 * verifies a ledger wants to know it most when a server is away.
 */
async function reading<Result extends object>(
  { url, replica }: PostgresJobSetting,
  work: (connection: MaintenanceConnection) => Promise<Result>,
): Promise<Result & { readonly note?: string }> {
  if (replica === null) return connected(url, work);
  const checked = new CheckedReplica(replica);
  try {
    const onReplica = async (connection: MaintenanceConnection) => {
      await checked.check((text) => connection.client.query(text));
      return work(connection);
    };
    return await connected(replica.url, onReplica, READ_URL);
  } catch (error) {
    if (!(error instanceof UnusableDatabase || isDatabaseTrouble(error))) throw error;
    const { message } = error instanceof UnusableDatabase ? error : checked.explain(error);
    return { ...(await connected(url, work)), note: `Read from the database instead of the replica. ${message}` };
  }
}

async function connected<Result>(
  url: string,
  work: (connection: MaintenanceConnection) => Promise<Result>,
  option = DATABASE_URL,
): Promise<Result> {
  const connection = await MaintenanceConnection.open(url, option);
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
