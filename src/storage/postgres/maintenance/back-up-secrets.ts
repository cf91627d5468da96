/**
 * A backup of an installation on PostgreSQL. The database is backed up by its own means; what is written here is what it does not have: pepper
 * and master key, without which no key works and no credential can be decrypted, and the archives of sealed months.
 */
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BackupReport } from '../../../billing/maintenance-ports.ts';
import { PEPPER_FILE } from '../../folder/file-secrets.ts';
import { syncFile } from '../../sqlite/archive/write-archive.ts';
import { prepareTarget } from '../../sqlite/backup/backup.ts';
import { sha256Of } from '../../sqlite/backup/backup-manifest.ts';
import { ARCHIVE_FOLDER, BACKUP_NOTE } from '../../sqlite/files.ts';

export interface SecretsBackup {
  /** The data folder. */
  readonly from: string;
  /** Created if it does not exist; must be empty. */
  readonly to: string;
  /** Null if they are to be left out; otherwise 64 hexadecimal digits each. */
  readonly secrets: { readonly pepper: string; readonly masterKey: string } | null;
  readonly nowMs: number;
}

export const MASTER_KEY_FILE = 'master.key';
const ARCHIVE_NAME = /^ledger-\d{4}-\d{2}\.db$/;

/** Throws `GatewayError` as a backup of SQLite does. */
export async function backUpSecrets({ from, to, secrets, nowMs }: SecretsBackup): Promise<BackupReport> {
  const target = prepareTarget(resolve(from), resolve(to));
  const files: string[] = [];
  if (secrets !== null) {
    for (const [name, value] of [
      [PEPPER_FILE, secrets.pepper],
      [MASTER_KEY_FILE, secrets.masterKey],
    ] as const) {
      writeFileSync(join(target, name), `${value}\n`, { mode: 0o600, flag: 'wx' });
      files.push(name);
    }
  }
  for (const name of archivesIn(from)) {
    const copy = join(target, ARCHIVE_FOLDER, name);
    mkdirSync(join(target, ARCHIVE_FOLDER), { recursive: true, mode: 0o700 });
    // A copy keeps the mode of a file that is there.
    closeSync(openSync(copy, 'wx', 0o600));
    copyFileSync(join(from, ARCHIVE_FOLDER, name), copy);
    files.push(join(ARCHIVE_FOLDER, name));
  }
  let bytes = 0;
  for (const name of files) {
    syncFile(join(target, name));
    bytes += (await sha256Of(join(target, name))).bytes;
  }
  syncFile(target);
  const note = JSON.stringify({ at: new Date(nowMs).toISOString(), folder: target });
  // A command runs without a data folder, too.
  if (existsSync(from)) writeFileSync(join(from, BACKUP_NOTE), note, { mode: 0o600 });
  return { folder: target, files: files.length, bytes, secrets: secrets !== null, rest: REST };
}

/** What else a backup needs. */
const REST =
  'The database is not in it: back it up with its own means, a base backup and an archive of its write-ahead log ' +
  "(pg_basebackup, archive_command) or your provider's snapshots. After a restore to an earlier time, run: turnpike ledger adopt";

function archivesIn(from: string): readonly string[] {
  const folder = join(from, ARCHIVE_FOLDER);
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => ARCHIVE_NAME.test(name))
        .sort()
    : [];
}
