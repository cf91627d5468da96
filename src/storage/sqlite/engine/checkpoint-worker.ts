/** The thread that syncs write-ahead logs to the disk and checkpoints them into the database files. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { assert } from '../../../core/assert.ts';

/** One at a time; each is answered by a `CheckpointReply`. */
export type CheckpointRequest =
  | { readonly type: 'sync'; readonly path: string }
  | { readonly type: 'checkpoint'; readonly path: string; readonly mode: 'PASSIVE' | 'TRUNCATE' }
  | { readonly type: 'forget'; readonly path: string }
  | { readonly type: 'close' };

/** `busy`: a reader or writer prevented a complete checkpoint. */
export interface CheckpointReply {
  readonly busy: boolean;
  readonly error: string | null;
}

interface OpenFile {
  readonly database: DatabaseSync;
  readonly PASSIVE: StatementSync;
  readonly TRUNCATE: StatementSync;
}

const port = parentPort;
assert(port !== null, 'this file runs as a thread');
const files = new Map<string, OpenFile>();

port.on('message', (request: CheckpointRequest) => {
  port.postMessage(answer(request));
  if (request.type === 'close') port.close();
});

function answer(request: CheckpointRequest): CheckpointReply {
  try {
    if (request.type === 'sync') {
      syncLog(request.path);
      return { busy: false, error: null };
    }
    if (request.type === 'checkpoint') return { busy: checkpoint(request.path, request.mode), error: null };
    for (const path of request.type === 'forget' ? [request.path] : [...files.keys()]) forget(path);
    return { busy: false, error: null };
  } catch (error) {
    return { busy: false, error: error instanceof Error ? error.message : String(error) };
  }
}

/** The first part of a checkpoint. SQLite's locks are on other files, so closing this one releases none. */
function syncLog(path: string): void {
  const log = openSync(`${path}-wal`, 'r');
  try {
    fsyncSync(log);
  } finally {
    closeSync(log);
  }
}

/** https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
function checkpoint(path: string, mode: 'PASSIVE' | 'TRUNCATE'): boolean {
  const file = files.get(path) ?? open(path);
  return (file[mode].get() as { busy: number }).busy !== 0;
}

function open(path: string): OpenFile {
  const database = new DatabaseSync(path, { timeout: 0 });
  const file = {
    database,
    PASSIVE: database.prepare('PRAGMA wal_checkpoint(PASSIVE)'),
    TRUNCATE: database.prepare('PRAGMA wal_checkpoint(TRUNCATE)'),
  };
  files.set(path, file);
  return file;
}

function forget(path: string): void {
  files.get(path)?.database.close();
  files.delete(path);
}
