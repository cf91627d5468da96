/** The thread that commits if each commit must reach the disk: it waits for the disk, and the event loop does not. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LedgerRow } from '../../../billing/ports.ts';
import { assert } from '../../../core/assert.ts';
import { openDatabase } from '../engine/open-database.ts';
import { LedgerWriter } from './ledger-writer.ts';

/** One at a time; each is answered by a `CommitReply`. */
export type CommitRequest =
  | { readonly type: 'write'; readonly rows: readonly LedgerRow[] }
  | { readonly type: 'probe' }
  | { readonly type: 'close' };

/** An error loses SQLite's result code between threads, so message and code are sent separately. */
export type CommitReply = { readonly error: null } | { readonly error: string; readonly errcode: number | null };

const port = parentPort;
assert(port !== null, 'this file runs as a thread');
const database = openDatabase((workerData as { readonly path: string }).path, 'FULL');
const writer = new LedgerWriter(database);

port.on('message', (request: CommitRequest) => {
  port.postMessage(answer(request));
  if (request.type === 'close') port.close();
});

function answer(request: CommitRequest): CommitReply {
  try {
    if (request.type === 'write') writer.write(request.rows);
    else if (request.type === 'probe') writer.probe();
    else database.close();
    return { error: null };
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;
    return { error: error instanceof Error ? error.message : String(error), errcode };
  }
}
