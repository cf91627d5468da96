/** The thread that writes the journal if each commit must reach the disk: it waits for the disk, and the event loop does not. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../core/assert.ts';
import { openJournalDatabase } from './journal-database.ts';
import type { JournalPart } from './journal-part.ts';
import { JournalRows } from './journal-rows.ts';

/** One at a time; each is answered by a `JournalReply`. */
export type JournalRequest =
  | { readonly type: 'write'; readonly part: JournalPart }
  | { readonly type: 'probe' }
  | { readonly type: 'close' };

/** An error loses SQLite's result code between threads, so message and code are sent separately. */
export type JournalReply = { readonly error: null } | { readonly error: string; readonly errcode: number | null };

const port = parentPort;
assert(port !== null, 'this file runs as a thread');
const database = openJournalDatabase((workerData as { readonly folder: string }).folder, 'FULL');
const rows = new JournalRows(database);

port.on('message', (request: JournalRequest) => {
  port.postMessage(answer(request));
  if (request.type === 'close') port.close();
});

function answer(request: JournalRequest): JournalReply {
  try {
    if (request.type === 'write') rows.write(request.part);
    else if (request.type === 'probe') rows.probe();
    else database.close();
    return { error: null };
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;
    return { error: error instanceof Error ? error.message : String(error), errcode };
  }
}
