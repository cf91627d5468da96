/**
 * The folder where an installation keeps everything. It has one owner at a time, by a lock that
 * the operating system takes back when the owner ends, however it ends.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { controlSocketPath } from './control-socket.ts';

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  readonly controlSocketPath: string;
  /** Lets go of the lock; to be called last. */
  close(): void;
}

/** The folder has an owner already. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

/**
 * Takes possession of a data folder, making it (mode 0700) where there is none. Throws `DataFolderInUse` when another process has it, and
 * an error that says what to do when it cannot be used.
 */
export function openDataFolder(path: string): DataFolder {
  const folder = resolve(path);
  makeFolder(folder);
  const lock = takeLock(folder);
  try {
    return { path: folder, controlSocketPath: controlSocketPath(folder), close: () => lock.close() };
  } catch (error) {
    lock.close();
    throw error;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`The data folder ${path} cannot be made: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Node has no call for file locks, SQLite has: a transaction kept open on a file of its own. A
 * file with a process id in it would outlive `kill -9`, and ids are used again.
 */
function takeLock(path: string): DatabaseSync {
  const file = join(path, 'lock');
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
        `The data folder ${path} is in use by another Turnpike; stop that one, or give this one a folder of its own (--data).`,
      );
    throw new Error(`The data folder ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
