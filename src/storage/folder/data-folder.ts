/**
 * The folder where an installation keeps everything. It has one owner at a time, by a lock that
 * the operating system takes back when the owner ends, however it ends.
 */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Secret } from '../../core/secret.ts';
import type { RingEntry, RingFile } from '../../credentials/ports.ts';
import { controlSocketPath } from './control-socket.ts';
import { checkSecret, openRingFile, openSecretFile, ringFileAt } from './secret-file.ts';

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  readonly controlSocketPath: string;
  /** Turns keys into the digests the database keeps; 32 bytes as hexadecimal text. */
  readonly pepper: Secret;
  /** Seals what is secret in the database: the active key and older ones, each 32 bytes as hexadecimal text. Never empty. */
  readonly sealingKeys: readonly RingEntry[];
  /** The active one of them. */
  readonly sealingKey: Secret;
  /** Null where the active key is given: then it is not ours to change. */
  readonly ringFile: RingFile | null;
  /** Lets go of the lock; to be called last. */
  close(): void;
}

export interface DataFolderOptions {
  readonly path: string;
  /** Used in place of the file `pepper`, which is then neither read nor made. */
  readonly pepper?: Secret | null;
  /** The active key in place of that of the file `sealing.key`, which is not made; what is in it opens what it sealed. */
  readonly sealingKey?: Secret | null;
}

/** Who asked for a folder that has an owner already. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

/**
 * Takes possession of a data folder, making it (mode 0700) and its secrets where there are none.
 * Throws `DataFolderInUse` when another process has it, and an error that says what to do when
 * the folder or a secret cannot be used.
 */
export function openDataFolder(options: DataFolderOptions): DataFolder {
  const path = resolve(options.path);
  makeFolder(path);
  const lock = takeLock(path);
  try {
    const ringPath = join(path, 'sealing.key');
    const sealingKey = given(options.sealingKey, 'the given sealing key');
    const sealingKeys = sealingKey === null ? openRingFile(ringPath) : ringWith(sealingKey, ringPath);
    return {
      path,
      controlSocketPath: controlSocketPath(path),
      pepper: given(options.pepper, 'the given pepper') ?? openSecretFile(join(path, 'pepper')),
      sealingKeys,
      sealingKey: (sealingKeys[0] as RingEntry).secret,
      ringFile: sealingKey === null ? ringFileAt(ringPath) : null,
      close: () => lock.close(),
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

function given(secret: Secret | null | undefined, where: string): Secret | null {
  return secret === null || secret === undefined ? null : checkSecret(secret.reveal(), where);
}

function ringWith(secret: Secret, path: string): readonly RingEntry[] {
  const older = existsSync(path) ? openRingFile(path) : [];
  const active: RingEntry = { secret, retiredAt: null };
  return [active, ...older.filter((entry) => entry.secret.reveal() !== secret.reveal())];
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
