/**
 * Copies a data folder while it is in use: each database is copied as a snapshot, and the ledger last, so
 * that every record of the copy has its settlement. A manifest, written at the end, lists the files. Run it on a separate thread.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { BackupReport } from '../../../billing/maintenance-ports.ts';
import { GatewayError } from '../../../core/errors.ts';
import { PEPPER_FILE, RING_FILE } from '../../folder/file-secrets.ts';
import { syncFile } from '../archive/write-archive.ts';
import { openReadOnly } from '../engine/open-read-only.ts';
import { ARCHIVE_FOLDER, BACKUP_NOTE, DATABASE_FILE, RECORDS_FOLDER } from '../files.ts';
import { type BackedUpFile, MANIFEST_FILE, MANIFEST_FORMAT, type Manifest, sha256Of } from './backup-manifest.ts';

const SECRET_FILES = [PEPPER_FILE, RING_FILE];
const DATABASE_NAME = /^[\w-]+\.db$/;

export interface BackupOptions {
  /** The data folder. */
  readonly from: string;
  /** Created if it does not exist; must be empty. */
  readonly to: string;
  readonly secrets: boolean;
  /** The version of this program. */
  readonly version: string;
  readonly nowMs: number;
}

/**
 * Throws `GatewayError`: `conflict` if the target is not empty or is in the data folder, `invalid_value` if it cannot be created or
 * used; otherwise the system's error.
 */
export async function backUp({ from, to, secrets, version, nowMs }: BackupOptions): Promise<BackupReport> {
  const target = prepareTarget(resolve(from), resolve(to));
  const files: BackedUpFile[] = [];
  for (const path of dayFiles(from)) if (copyDatabase(from, target, path)) files.push(await describe(target, path));
  for (const path of databasesIn(from, ARCHIVE_FOLDER)) {
    copyPlain(from, target, path);
    files.push(await describe(target, path));
  }
  copyDatabase(from, target, DATABASE_FILE);
  files.push(await describe(target, DATABASE_FILE));
  // After the database: a new sealing key is written to its file before anything is sealed with it, and old ones stay.
  if (secrets) {
    for (const path of SECRET_FILES.filter((name) => existsSync(join(from, name)))) {
      copyPlain(from, target, path);
      files.push(await describe(target, path));
    }
  }
  writeManifest(target, {
    format: MANIFEST_FORMAT,
    turnpike: version,
    sqlite: process.versions['sqlite'] ?? '',
    schema: schemaOf(join(target, DATABASE_FILE)),
    created_at: new Date(nowMs).toISOString(),
    secrets,
    files,
  });
  syncFile(dirname(target));
  writeFileSync(join(from, BACKUP_NOTE), JSON.stringify({ at: new Date(nowMs).toISOString(), folder: target }), {
    mode: 0o600,
  });
  return { folder: target, files: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0), secrets };
}

/** Creates the folder of a backup. Throws as `backUp` does. */
export function prepareTarget(from: string, to: string): string {
  if (to === from || to.startsWith(from + sep))
    throw new GatewayError('conflict', {
      message: 'A backup cannot be written into the data folder itself.',
      param: 'folder',
    });
  if (entriesOf(to) > 0)
    throw new GatewayError('conflict', {
      message: `${to} is not empty; back up into an empty folder.`,
      param: 'folder',
    });
  return to;
}

/** The number of entries in a folder, which is created if it does not exist. */
function entriesOf(folder: string): number {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return readdirSync(folder).length;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new GatewayError('invalid_value', {
      message: `Turnpike cannot make or use the folder ${folder} (${code}). A running server makes the backup: its user must be allowed to write there.`,
      param: 'folder',
      cause: error,
    });
  }
}

/** Days may be removed during the copy, to keep the records under their limit. */
function dayFiles(from: string): string[] {
  return databasesIn(from, RECORDS_FOLDER);
}

function databasesIn(from: string, folder: string): string[] {
  if (!existsSync(join(from, folder))) return [];
  return readdirSync(join(from, folder))
    .filter((name) => DATABASE_NAME.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** False if it no longer exists. */
function copyDatabase(from: string, to: string, path: string): boolean {
  if (!existsSync(join(from, path))) return false;
  const copy = join(to, path);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  // SQLite would create the file with the process's umask; an existing empty file keeps its mode.
  closeSync(openSync(copy, 'wx', 0o600));
  const database = openReadOnly(join(from, path));
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
  syncFile(copy);
  return true;
}

function copyPlain(from: string, to: string, path: string): void {
  const copy = join(to, path);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  closeSync(openSync(copy, 'wx', 0o600));
  copyFileSync(join(from, path), copy);
  // A copy gets the mode of its original.
  chmodSync(copy, 0o600);
  syncFile(copy);
}

async function describe(folder: string, path: string): Promise<BackedUpFile> {
  const { bytes, sha256 } = await sha256Of(join(folder, path));
  return { path, bytes, sha256 };
}

/** The last migration of the database. */
function schemaOf(path: string): string {
  const database = openReadOnly(path);
  try {
    const row = database.prepare('SELECT max(name) AS name FROM migrations').get() as { name: string };
    return row.name;
  } finally {
    database.close();
  }
}

function writeManifest(folder: string, manifest: Manifest): void {
  const path = join(folder, MANIFEST_FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  syncFile(`${path}.new`);
  renameSync(`${path}.new`, path);
  for (const part of [RECORDS_FOLDER, ARCHIVE_FOLDER])
    if (statSync(join(folder, part), { throwIfNoEntry: false }) !== undefined) syncFile(join(folder, part));
  syncFile(folder);
  rmSync(`${path}.new`, { force: true });
}
