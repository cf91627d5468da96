/**
 * Whether this process may use a data folder and what is in it, and what to do if not. Asked before anything is opened, because SQLite only says that
 * it could not open something.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { JOURNAL_FILE } from '../journal/journal-database.ts';
import { MARK_FILE } from '../journal/journal-mark.ts';
import { ARCHIVE_FOLDER, CAPTURES_FOLDER, DATABASE_FILE, RECORDS_FOLDER } from '../sqlite/files.ts';
import { DISK_ADVICE } from './disk-advice.ts';
import { PEPPER_FILE, RING_FILE } from './file-secrets.ts';

const { R_OK, W_OK, X_OK } = constants;

export const LOCK_FILE = 'lock';

const DATABASES = [DATABASE_FILE, JOURNAL_FILE].flatMap((file) => [file, `${file}-wal`, `${file}-shm`]);
/** What is opened at the start, and how. Operators may write-protect the secrets. */
const USED: Readonly<Record<string, number>> = {
  ...Object.fromEntries([LOCK_FILE, MARK_FILE, ...DATABASES].map((file) => [file, R_OK | W_OK])),
  ...Object.fromEntries(
    [RECORDS_FOLDER, CAPTURES_FOLDER, ARCHIVE_FOLDER].map((folder) => [folder, R_OK | W_OK | X_OK]),
  ),
  ...Object.fromEntries([PEPPER_FILE, RING_FILE].map((file) => [file, R_OK])),
};

/** Null if it may, or if the folder does not exist and can be created; otherwise a sentence that says what to do. `folder` is absolute. */
export function accessComplaint(folder: string): string | null {
  const place = nearestExisting(folder);
  const isThere = place === folder;
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() === false)
    return `The data folder ${folder} cannot be ${isThere ? 'used' : 'created'}: ${place} is a file. Name a folder (--data).`;
  const inPlace = refusalOf(place, R_OK | W_OK | X_OK);
  if (inPlace !== null)
    return isThere
      ? `The data folder ${folder} cannot be used: ${inPlace}`
      : `The data folder ${folder} cannot be created in ${place}: ${inPlace}`;
  if (!isThere) return null;
  for (const [name, mode] of Object.entries(USED)) {
    const path = join(folder, name);
    const refusal = existsSync(path) ? refusalOf(path, mode) : null;
    if (refusal !== null) return `The file ${path} cannot be used: ${refusal}`;
  }
  return null;
}

function nearestExisting(path: string): string {
  for (let at = path; ; at = dirname(at)) if (existsSync(at) || at === dirname(at)) return at;
}

/** Null if it may be used like this. */
function refusalOf(path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return 'its file system is read-only. Mount it for writing, or use another folder (--data).';
    if (code === 'EACCES' || code === 'EPERM') return notPermitted(path);
    return `${message}. ${DISK_ADVICE}`;
  }
}

function notPermitted(path: string): string {
  const { uid, username } = userInfo();
  const owner = statSync(path, { throwIfNoEntry: false });
  if (owner === undefined) return `${username} may not enter its folder. Give ${username} the right to.`;
  if (owner.uid === uid) return `its permissions do not let ${username} use it. Run: chmod -R u+rwX ${path}`;
  return `it belongs to another user (${owner.uid}), and this is ${username} (${uid}). Run Turnpike as its owner, or give it to ${username}: chown -R ${uid} ${path}`;
}
