/** The thread that reads exports, each from its own connection and snapshot, one batch per request. */
import { setPriority } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../../core/assert.ts';
import { systemClock } from '../../../core/clock.ts';
import { type ExportBatch, type ExportQuestion, exportBatches } from './export-batches.ts';
import { openForReading, ReadDeadline } from './open-for-reading.ts';
import { READER_NICENESS, type ReaderPaths } from './reader-paths.ts';

/** One at a time; each is answered by an `ExportReply`. */
export type ExportRequest =
  | { readonly type: 'open'; readonly id: number; readonly question: ExportQuestion }
  | { readonly type: 'next'; readonly id: number }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'close' };

export type ExportReply =
  /** `batch` is null after the last one, and for requests other than `next`. */
  { readonly type: 'batch'; readonly batch: ExportBatch | null } | { readonly type: 'failed'; readonly reason: string };

interface Running {
  readonly ledger: DatabaseSync;
  readonly batches: Generator<ExportBatch>;
}

/** A batch searches for a tenth of a second and then reads one more interval or slice; the disk may be slow. */
const BATCH_MS_MAX = 60_000;

const port = parentPort;
assert(port !== null, 'this file runs as a thread');
const paths = workerData as ReaderPaths;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
const deadline = new ReadDeadline(systemClock, (ms) => void Atomics.wait(nobodyWakes, 0, 0, ms));
const running = new Map<number, Running>();
if (process.platform === 'linux') setPriority(READER_NICENESS);

port.on('message', (request: ExportRequest) => {
  port.postMessage(answer(request));
  if (request.type === 'close') port.close();
});

function answer(request: ExportRequest): ExportReply {
  try {
    deadline.set(BATCH_MS_MAX);
    return { type: 'batch', batch: act(request) };
  } catch (error) {
    return { type: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function act(request: ExportRequest): ExportBatch | null {
  switch (request.type) {
    case 'open':
      open(request.id, request.question);
      return null;
    case 'next': {
      const next = running.get(request.id)?.batches.next();
      return next === undefined || next.done === true ? null : next.value;
    }
    case 'end':
      end(request.id);
      return null;
    case 'close':
      for (const id of running.keys()) end(id);
      return null;
  }
}

function open(id: number, question: ExportQuestion): void {
  const ledger = openForReading(paths.ledger, deadline);
  assert(ledger !== null, 'the database is there while the program runs');
  // The first read fixes the snapshot: https://www.sqlite.org/isolation.html
  ledger.exec('BEGIN; SELECT 1 FROM settlements LIMIT 1');
  const batches = exportBatches({ ledger, ledgerPath: paths.ledger, recordsFolder: paths.records, deadline }, question);
  running.set(id, { ledger, batches });
}

function end(id: number): void {
  // Returning from a generator closes what it opened.
  running.get(id)?.batches.return(undefined);
  running.get(id)?.ledger.close();
  running.delete(id);
}
