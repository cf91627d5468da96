/** The thread that reads for reports, on connections that cannot write. */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../core/assert.ts';
import { systemClock } from '../../core/clock.ts';
import type { CallId } from '../../core/ids.ts';
import type { ActivityQuery, CallOwner } from '../../stats/ports.ts';
import { readActivity } from './reader-activity.ts';
import { findByUpstreamId, readCall } from './reader-calls.ts';
import { openForReading, ReadDeadline, ReadTooLate } from './reader-database.ts';

export interface ReaderPaths {
  readonly ledger: string;
  /** The folder of day files. */
  readonly records: string;
}

export type ReaderQuestion =
  | { readonly type: 'activity'; readonly query: ActivityQuery; readonly rowsMax: number }
  | { readonly type: 'call'; readonly id: CallId }
  | { readonly type: 'upstream'; readonly upstreamId: string; readonly owner: CallOwner };

/** One at a time; each is answered by a `ReaderReply`. */
export type ReaderRequest =
  | { readonly type: 'read'; readonly question: ReaderQuestion; readonly budgetMs: number }
  | { readonly type: 'close' };

export type ReaderReply =
  | { readonly type: 'read'; readonly found: unknown }
  | { readonly type: 'late' }
  | { readonly type: 'failed'; readonly reason: string };

const port = parentPort;
assert(port !== null, 'this file runs as a thread');
const paths = workerData as ReaderPaths;
const deadline = new ReadDeadline(systemClock);
let ledger: DatabaseSync | null = null;

port.on('message', (request: ReaderRequest) => {
  if (request.type === 'read') {
    port.postMessage(answer(request.question, request.budgetMs));
    return;
  }
  ledger?.close();
  port.postMessage({ type: 'read', found: null } satisfies ReaderReply);
  port.close();
});

function answer(question: ReaderQuestion, budgetMs: number): ReaderReply {
  try {
    deadline.set(budgetMs);
    return { type: 'read', found: read(question) };
  } catch (error) {
    if (error instanceof ReadTooLate) return { type: 'late' };
    return { type: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function read(question: ReaderQuestion): unknown {
  switch (question.type) {
    case 'activity':
      return readActivity(openLedger(), question.query, question.rowsMax);
    case 'call':
      return readCall(openLedger(), paths.records, question.id, deadline);
    case 'upstream':
      return findByUpstreamId(paths.records, question.upstreamId, question.owner, deadline);
  }
}

function openLedger(): DatabaseSync {
  ledger ??= openForReading(paths.ledger, deadline);
  assert(ledger !== null, 'the database is there while the program runs');
  return ledger;
}
