/** Moves the ledger of an installation between its data folder and a PostgreSQL database, while no server runs on either. */
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ledgerRules } from '../../billing/ledger-rules.ts';
import type { VerifyReport } from '../../billing/maintenance-ports.ts';
import type { Config } from '../../config/config.ts';
import { systemClock } from '../../core/clock.ts';
import type { Secret } from '../../core/secret.ts';
import { VERSION } from '../../core/version.ts';
import { openDataFolder } from '../../storage/folder/data-folder.ts';
import { pepperComplaint } from '../../storage/folder/file-secrets.ts';
import { writeSecretFiles } from '../../storage/folder/write-secret-files.ts';
import { storages } from '../../storage/index.ts';
import { isComplete, moveMarked, postgresLedger, sqliteLedger } from '../../storage/move/mark-source.ts';
import { moveToPostgres } from '../../storage/move/move-to-postgres.ts';
import { checkNewFolder, moveToSqlite } from '../../storage/move/move-to-sqlite.ts';
import { prepareDatabase } from '../../storage/move/prepare-database.ts';
import { checkQuiet } from '../../storage/move/quiet-nodes.ts';
import { bringArchives } from '../../storage/postgres/archive/archive-files.ts';
import type { UrlOption } from '../../storage/postgres/engine/explain-connection.ts';
import { MaintenanceConnection } from '../../storage/postgres/maintenance/maintenance-connection.ts';
import { readSeals } from '../../storage/postgres/verify/read-seals.ts';
import { verifyWithin } from '../../storage/postgres/verify/verify-ledger.ts';
import { ARCHIVE_FOLDER, DATABASE_FILE } from '../../storage/sqlite/files.ts';
import type { Storage } from '../../storage/storage.ts';
import { maintenanceSetting } from '../open-storage.ts';

export interface MoveRequest {
  readonly config: Config;
  /** Of the database; it has a password, or the client takes one from `PGPASSWORD`. */
  readonly url: Secret;
  /** What the operator gave the URL with, for errors. */
  readonly option: UrlOption;
  /** Where the ledger moves to, as operators read it: without a password. */
  readonly to: string;
  readonly onProgress: (line: string) => void;
}

export interface MovedLedger {
  readonly rows: number;
  readonly verified: VerifyReport;
}

/** Something is wrong with the ledger that should move: nothing was moved. */
export class CannotMove extends Error {
  readonly report: VerifyReport | null;

  constructor(message: string, report: VerifyReport | null = null) {
    super(message);
    this.report = report;
  }
}

/** Resolves to null if an earlier attempt had moved everything. Throws an error that says what to do; then nothing was moved. */
export async function moveLedgerToDatabase({
  config,
  url,
  option,
  to,
  onProgress,
}: MoveRequest): Promise<MovedLedger | null> {
  const folder = openDataFolder(config.dataFolder);
  const source = sqliteLedger(folder.path);
  if (!existsSync(join(folder.path, DATABASE_FILE))) {
    folder.close();
    throw new CannotMove(`There is no ledger in ${folder.path}.`);
  }
  let target: MaintenanceConnection | null = null;
  try {
    const complaint = pepperComplaint(folder.path, config);
    if (complaint !== null) throw new CannotMove(`${complaint} Nothing was moved.`);
    await prepareDatabase({ url: url.reveal(), option, version: VERSION });
    target = await MaintenanceConnection.open(url.reveal(), option);
    if (await isComplete(source, postgresLedger(target))) return null;
    onProgress('Verifying the ledger in the data folder …');
    const { report, secrets } = await verifySource(config);
    const id = randomUUID();
    const at = new Date(systemClock.now()).toISOString();
    const connection = target;
    return await moveMarked(source, postgresLedger(target), { to, id, at }, async () => {
      const [active] = secrets.sealingKeys;
      const database = new DatabaseSync(join(folder.path, DATABASE_FILE), { readOnly: true });
      try {
        database.exec('BEGIN');
        const moved = await moveToPostgres({
          source: database,
          folder: folder.path,
          target: connection,
          billingMode: config.billing.mode,
          rules: ledgerRules,
          secrets: {
            pepper: secrets.pepper,
            masterKey: config.sealingKey ?? active?.secret ?? secrets.pepper,
            ring: secrets.sealingKeys,
            nowMs: systemClock.now(),
          },
          id,
          onProgress: (table, rows) => onProgress(`  ${table}: ${rows}`),
          check: (verified) => checkAlike(report, verified),
        });
        return moved;
      } finally {
        database.close();
      }
    });
  } finally {
    await target?.close();
    folder.close();
  }
}

/** Into a new folder, which then has the secrets of the installation as files, too. Resolves and throws as the other direction does. */
export async function moveLedgerToFolder(
  { config, url, option, to, onProgress }: MoveRequest,
  folder: string,
): Promise<MovedLedger | null> {
  const draft = `${folder}.moving`;
  const source = await MaintenanceConnection.open(url.reveal(), option);
  try {
    if (await isComplete(postgresLedger(source), sqliteLedger(folder))) return null;
    checkNewFolder(folder);
    rmSync(draft, { recursive: true, force: true });
    const secrets = await prepareDatabase({ url: url.reveal(), option, version: VERSION, given: config });
    await checkQuiet(source);
    onProgress('Verifying the ledger in the database …');
    const report = await source.snapshot(async () => {
      await bringArchives(source, config.dataFolder, await readSeals(source));
      const parts = { connection: source, folder: config.dataFolder, billingMode: config.billing.mode };
      return verifyWithin({ ...parts, archive: true, rules: ledgerRules, times: null });
    });
    checkCorrect(report);
    const id = randomUUID();
    const at = new Date(systemClock.now()).toISOString();
    return await moveMarked(postgresLedger(source), sqliteLedger(folder), { to, id, at }, async () => {
      try {
        mkdirSync(draft, { recursive: true, mode: 0o700 });
        const rows = await moveToSqlite({
          source,
          folder: draft,
          clock: systemClock,
          id,
          onProgress: (table, count) => onProgress(`  ${table}: ${count}`),
        });
        const archives = join(config.dataFolder, ARCHIVE_FOLDER);
        if (existsSync(archives)) cpSync(archives, join(draft, ARCHIVE_FOLDER), { recursive: true });
        if (secrets !== null) await writeSecretFiles(draft, secrets);
        await checkQuiet(source);
        const { report: verified } = await verifySource({ ...config, dataFolder: draft });
        checkAlike(report, verified);
        if (existsSync(folder)) rmdirSync(folder);
        renameSync(draft, folder);
        return { rows, verified };
      } catch (error) {
        rmSync(draft, { recursive: true, force: true });
        throw error;
      }
    });
  } finally {
    await source.close();
  }
}

/** Opens the storage of a folder, which settles what a crash interrupted, and verifies it with its archives. */
async function verifySource(
  config: Config,
): Promise<{ readonly report: VerifyReport; readonly secrets: Storage['secrets'] }> {
  const storage = await storages.sqlite.open({
    folder: config.dataFolder,
    clock: systemClock,
    durability: 'process',
    database: null,
    recordsBytesMax: config.records.bytesMax,
    capturesBytesMax: config.capture.bytesMax,
    givenSecrets: { pepper: config.pepper, sealingKey: config.sealingKey },
    maintenance: maintenanceSetting(config),
    onProblem: () => undefined,
  });
  try {
    const report = await storage.maintenance.verify({ archive: true });
    checkCorrect(report);
    return { report, secrets: storage.secrets };
  } finally {
    await storage.close();
  }
}

function checkCorrect(report: VerifyReport): void {
  if (report.violationCount > 0)
    throw new CannotMove(`The ledger has ${report.violationCount} violations; only a correct one moves.`, report);
}

/** Records stay where they are; everything else must be counted alike. */
function checkAlike(source: VerifyReport, target: VerifyReport): void {
  if (target.violationCount > 0)
    throw new CannotMove(`What was copied has ${target.violationCount} violations; nothing was moved.`, target);
  for (const what of ['accounts', 'settlements', 'entries', 'holds', 'archives'] as const)
    if (source[what] !== target[what])
      throw new CannotMove(`${source[what]} ${what} were to move, and ${target[what]} arrived; nothing was moved.`);
}
