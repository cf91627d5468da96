/**
 * The folder in which an installation stores everything. It has one owner at a time, ensured by a lock that
 * the operating system releases when the owner ends, however it ends.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { controlSocketPath } from './control-socket.ts';
import { DISK_ADVICE } from './disk-advice.ts';
import { accessComplaint, LOCK_FILE } from './folder-access.ts';

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  readonly controlSocketPath: string;
  /** Releases the lock; call it last. */
  close(): void;
}

/** Another process owns the folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

/**
 * Takes ownership of a data folder, creating it (mode 0700) if it does not exist. Throws `DataFolderInUse` if another process owns it, and
 * an error that says what to do if it cannot be used.
 */
export function openDataFolder(path: string): DataFolder {
  const folder = resolve(path);
  const complaint = accessComplaint(folder);
  if (complaint !== null) throw new Error(complaint);
  createFolder(folder);
  const lock = takeLock(folder);
  try {
    return { path: folder, controlSocketPath: controlSocketPath(folder), close: () => lock.close() };
  } catch (error) {
    lock.close();
    throw error;
  }
}

function createFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`The data folder ${path} cannot be created: ${(error as Error).message}. ${DISK_ADVICE}`, {
      cause: error,
    });
  }
}

/**
 * Node has no API for file locks, but SQLite has locks: a transaction is kept open on a separate file. A
 * file with a process id would survive `kill -9`, and ids are reused.
 */
function takeLock(path: string): DatabaseSync {
  const file = join(path, LOCK_FILE);
  let lock: DatabaseSync | null = null;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    chmodSync(file, 0o600);
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === 5)
      throw new DataFolderInUse(
        `The data folder ${path} is in use by another Turnpike server; stop it, or use another folder (--data).`,
      );
    throw new Error(`The data folder ${path} cannot be used: ${(error as Error).message}. ${DISK_ADVICE}`, {
      cause: error,
    });
  }
}
