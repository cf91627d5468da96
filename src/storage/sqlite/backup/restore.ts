/** Creates a data folder from a backup, after verifying every byte of it. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CannotRestore } from '../../restore.ts';
import { syncFile } from '../archive/write-archive.ts';
import { type BackedUpFile, MANIFEST_FILE, MANIFEST_FORMAT, type Manifest, sha256Of } from './backup-manifest.ts';

export interface RestoreReport {
  readonly files: number;
  readonly bytes: number;
  /** When the backup was made, wall time, ms. */
  readonly createdAt: number;
  /** Whether the backup contained the secrets; if not, keys work only after the secrets were copied there by hand. */
  readonly secrets: boolean;
}

/** Throws `CannotRestore`. The target is created if it does not exist, and must be empty. */
export async function restore({ from, to }: { readonly from: string; readonly to: string }): Promise<RestoreReport> {
  const source = resolve(from);
  const target = resolve(to);
  const manifest = readManifest(source);
  for (const file of manifest.files) await checkFile(source, file);
  // A folder that is or was served is not empty.
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new CannotRestore(`${target} is not empty; restore into an empty folder, never over one that is in use.`);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  // The database last: if this is interrupted, the folder does not count as a data folder.
  for (const file of manifest.files) await copyFile(source, target, file);
  syncFile(target);
  return {
    files: manifest.files.length,
    bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    createdAt: Date.parse(manifest.created_at),
    secrets: manifest.secrets,
  };
}

function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_FILE);
  if (!existsSync(path)) throw new CannotRestore(`${folder} is not a backup: it has no ${MANIFEST_FILE}.`);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch {
    throw new CannotRestore(`${path} cannot be read.`);
  }
  const { format, files } = manifest;
  if (format !== MANIFEST_FORMAT || !Array.isArray(files))
    throw new CannotRestore(`${path} was written by another version of Turnpike.`);
  for (const { path: name } of files)
    if (typeof name !== 'string' || !/^(?:(?:records|archive)\/)?[\w-]+(?:\.[\w-]+)?$/.test(name))
      throw new CannotRestore(`${path} lists a file that does not belong to a data folder: ${String(name)}.`);
  return manifest;
}

async function checkFile(folder: string, { path, bytes, sha256 }: BackedUpFile): Promise<void> {
  const file = join(folder, path);
  if (!existsSync(file)) throw new CannotRestore(`The backup is not whole: ${path} is missing.`);
  const found = await sha256Of(file);
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new CannotRestore(`The backup is damaged: ${path} has changed.`);
}

async function copyFile(from: string, to: string, file: BackedUpFile): Promise<void> {
  const copy = join(to, file.path);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  closeSync(openSync(copy, 'wx', 0o600));
  copyFileSync(join(from, file.path), copy);
  // A copy gets the mode of its original.
  chmodSync(copy, 0o600);
  syncFile(copy);
  syncFile(dirname(copy));
  await checkFile(to, file);
}
