/** The thread that reads exports, each from its own connection and snapshot, one batch per request. */
import { setPriority } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../../core/assert.ts';
import { systemClock } from '../../../core/clock.ts';
import type { CallsQuery, MovementsExport } from '../../../stats/ports.ts';
import { exportBatches } from '../../sql/reports/export-batches.ts';
import { LEDGER_ROWS } from '../../sql/reports/read-charges.ts';
import type { ExportBatch, ExportQuestion } from '../../stats/questions.ts';
import { type ExportReply, type ExportRequest, READER_NICENESS } from '../../threads/messages.ts';
import { ReadDeadline } from '../../threads/read-deadline.ts';
import { ARCHIVE_ROWS, openArchiveOf } from './archived-rows.ts';
import { openForReading } from './open-for-reading.ts';
import type { ReaderPaths } from './reader-paths.ts';
import { reportParts, runBatches } from './run-steps.ts';
import { daysOf, SqliteCalls } from './sqlite-calls.ts';

interface Running {
  readonly ledger: DatabaseSync;
  readonly archive: DatabaseSync | null;
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
  const archive = question.type === 'movements' ? archiveOf(ledger, question.query) : null;
  const parts = {
    ...reportParts(deadline),
    rows: archive === null ? LEDGER_ROWS : ARCHIVE_ROWS,
    recordsFor: (query: CallsQuery) => new SqliteCalls(paths.records, deadline, query),
    watchDays,
  } as const;
  running.set(id, {
    ledger,
    archive,
    batches: runBatches({ ledger, archive }, deadline, exportBatches(parts, question)),
  });
}

function archiveOf(ledger: DatabaseSync, query: MovementsExport): DatabaseSync | null {
  return openArchiveOf({ ledger, path: paths.ledger, deadline }, query);
}

/** The oldest days are removed to limit the size of all. */
function watchDays(firstDay: number): () => void {
  const days = [...daysOf(paths.records)].filter((day) => day >= firstDay);
  return () => {
    const left = daysOf(paths.records);
    if (days.some((day) => !left.has(day))) throw new Error('a day of records was removed during an export');
  };
}

function end(id: number): void {
  // Returning from a generator closes what it opened.
  running.get(id)?.batches.return(undefined);
  running.get(id)?.archive?.close();
  running.get(id)?.ledger.close();
  running.delete(id);
}
