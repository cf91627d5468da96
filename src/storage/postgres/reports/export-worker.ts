/** The thread that reads exports, each on a connection of its own and from one snapshot, one batch per request. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../../core/assert.ts';
import { systemClock } from '../../../core/clock.ts';
import type { CallsQuery } from '../../../stats/ports.ts';
import { exportBatches } from '../../sql/reports/export-batches.ts';
import { LEDGER_ROWS } from '../../sql/reports/read-charges.ts';
import { rowOf } from '../../sql/reports/steps.ts';
import type { ExportBatch, ExportQuestion } from '../../stats/questions.ts';
import { type ExportReply, type ExportRequest, READER_NICENESS } from '../../threads/messages.ts';
import { ReadDeadline } from '../../threads/read-deadline.ts';
import { EXPORT_MS_MAX } from '../../threads/thread-exports.ts';
import { UnusableDatabase } from '../engine/explain-connection.ts';
import { isDatabaseTrouble } from '../engine/postgres-errors.ts';
import { movementRows } from './archived-rows.ts';
import { PostgresCalls } from './postgres-calls.ts';
import { RecordRows } from './record-rows.ts';
import { ReportConnection, reportParts, runBatches } from './report-connection.ts';
import type { ReportSource } from './report-source.ts';

interface Running {
  readonly connection: ReportConnection;
  readonly batches: AsyncGenerator<ExportBatch, void>;
}

/** A batch searches for a tenth of a second and then reads one more interval or slice; the disk may be slow. */
const BATCH_MS_MAX = 60_000;
/** Before the snapshot: what is stored of a day is not dropped while an export that may need it runs. */
const KEEP_DAYS = 'lock table only records in access share mode';

const port = parentPort;
assert(port !== null, 'this file runs as a thread');
const source = workerData as ReportSource;
const deadline = new ReadDeadline(systemClock);
const rows = new RecordRows();
const running = new Map<number, Running>();
if (process.platform === 'linux') setPriority(READER_NICENESS);

port.on('message', async (request: ExportRequest) => {
  port.postMessage(await answer(request));
  if (request.type === 'close') port.close();
});

async function answer(request: ExportRequest): Promise<ExportReply> {
  try {
    deadline.set(BATCH_MS_MAX);
    return { type: 'batch', batch: await act(request) };
  } catch (error) {
    if (error instanceof UnusableDatabase) return { type: 'unavailable', reason: error.message };
    if (isDatabaseTrouble(error)) return { type: 'unavailable', reason: null };
    return { type: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function act(request: ExportRequest): Promise<ExportBatch | null> {
  switch (request.type) {
    case 'open':
      await open(request.id, request.question);
      return null;
    case 'next': {
      const next = await running.get(request.id)?.batches.next();
      return next === undefined || next.done === true ? null : next.value;
    }
    case 'end':
      await end(request.id);
      return null;
    case 'close':
      for (const id of [...running.keys()]) await end(id);
      return null;
  }
}

async function open(id: number, question: ExportQuestion): Promise<void> {
  const connection = new ReportConnection(source, deadline, { idleMs: EXPORT_MS_MAX });
  await connection.begin(question.type === 'calls' ? KEEP_DAYS : '');
  // The first read fixes the snapshot: https://www.postgresql.org/docs/current/transaction-iso.html#XACT-REPEATABLE-READ
  await connection.steps(rowOf('SELECT 1'));
  const parts = {
    ...reportParts(deadline),
    rows: question.type === 'movements' ? await connection.steps(movementRows(question.query)) : LEDGER_ROWS,
    recordsFor: (query: CallsQuery) => new PostgresCalls(rows, query),
    watchDays: () => () => undefined,
  } as const;
  running.set(id, { connection, batches: runBatches(connection, exportBatches(parts, question)) });
}

async function end(id: number): Promise<void> {
  const known = running.get(id);
  running.delete(id);
  // Returning from a generator closes what it opened.
  await known?.batches.return();
  await known?.connection.close();
}
