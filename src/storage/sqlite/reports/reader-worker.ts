/** The thread that reads reports, on read-only connections. */
import { setPriority } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../../core/assert.ts';
import { systemClock } from '../../../core/clock.ts';
import type { AccountId } from '../../../core/ids.ts';
import type {
  CallRecord,
  CallsQuery,
  MovementsPage,
  MovementsQuery,
  UsageQuery,
  UsageReport,
} from '../../../stats/ports.ts';
import { findFirstCall } from '../../sql/reports/find-first-call.ts';
import { HourCache } from '../../sql/reports/hour-cache.ts';
import { listCalls } from '../../sql/reports/list-calls.ts';
import { listMovements } from '../../sql/reports/list-movements.ts';
import { readActivity } from '../../sql/reports/read-activity.ts';
import { LEDGER_ROWS } from '../../sql/reports/read-charges.ts';
import { listMonths } from '../../sql/reports/read-months.ts';
import { readUsage, readUsageGroups } from '../../sql/reports/read-usage.ts';
import type { Steps } from '../../sql/reports/steps.ts';
import type { StatsQuestion } from '../../stats/questions.ts';
import { READER_NICENESS, type ReaderReply, type ReaderRequest } from '../../threads/messages.ts';
import { ReadDeadline, ReadTooLate } from '../../threads/read-deadline.ts';
import { ARCHIVE_ROWS, openArchiveOf } from './archived-rows.ts';
import { DayHistograms } from './day-histograms.ts';
import { openForReading } from './open-for-reading.ts';
import { findByUpstreamId, readCall } from './read-call.ts';
import { readLatency, readModelLatency } from './read-latency.ts';
import type { ReaderPaths } from './reader-paths.ts';
import { reportParts, runInOneView, runSteps } from './run-steps.ts';
import { SqliteCalls } from './sqlite-calls.ts';

const port = parentPort;
assert(port !== null, 'this file runs as a thread');
const paths = workerData as ReaderPaths;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
const deadline = new ReadDeadline(systemClock, (ms) => void Atomics.wait(nobodyWakes, 0, 0, ms));
const histograms = new DayHistograms(paths.records, deadline, systemClock);
const parts = { ...reportParts(deadline), hours: new HourCache() };
const latency = { recordsFolder: paths.records, histograms, deadline };
let ledger: DatabaseSync | null = null;
// On other systems this would apply to the whole process:
// https://man7.org/linux/man-pages/man2/setpriority.2.html, "C library/kernel differences".
if (process.platform === 'linux') setPriority(READER_NICENESS);

port.on('message', (request: ReaderRequest) => {
  if (request.type === 'read') {
    port.postMessage(answer(request.question, request.budgetMs));
    return;
  }
  ledger?.close();
  port.postMessage({ type: 'read', found: null } satisfies ReaderReply);
  port.close();
});

function answer(question: StatsQuestion, budgetMs: number): ReaderReply {
  try {
    deadline.set(budgetMs);
    return { type: 'read', found: read(question) };
  } catch (error) {
    if (error instanceof ReadTooLate) return { type: 'late' };
    return { type: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function read(question: StatsQuestion): unknown {
  switch (question.type) {
    case 'activity':
      return run(readActivity(parts, question.query, question.rowsMax));
    case 'call':
      return readCall(openLedger(), paths.records, question.id, deadline);
    case 'upstream':
      return findByUpstreamId(paths.records, question.upstreamId, question.owner, deadline);
    case 'usage':
      return usage(question.query);
    case 'usageGroups':
      return runInOneView({ ledger: openLedger() }, deadline, readUsageGroups(parts, question.query));
    case 'firstBytes':
      return readModelLatency(latency, question.query);
    case 'calls': {
      const { query, searchMs } = question;
      const recordsFor = (listed: CallsQuery) => new SqliteCalls(paths.records, deadline, listed);
      return run(listCalls({ ...parts, recordsFor, searchMs }, query));
    }
    case 'movements':
      return movements(question.query, question.searchMs);
    case 'months':
      return runInOneView({ ledger: openLedger() }, deadline, listMonths(parts, question.query));
    case 'firstCall':
      return firstCall(question.accountId, question.nowMs);
  }
}

function run<Result>(steps: Steps<Result>): Result {
  return runSteps({ ledger: openLedger() }, deadline, steps);
}

function usage(query: UsageQuery): UsageReport {
  const sums = runInOneView({ ledger: openLedger() }, deadline, readUsage(parts, query));
  return { ...sums, firstBytes: readLatency(latency, query) };
}

function movements(query: MovementsQuery, searchMs: number): MovementsPage {
  const archive = openArchiveOf({ ledger: openLedger(), path: paths.ledger, deadline }, query);
  const rows = archive === null ? LEDGER_ROWS : ARCHIVE_ROWS;
  try {
    return runSteps({ ledger: openLedger(), archive }, deadline, listMovements({ ...parts, rows, searchMs }, query));
  } finally {
    archive?.close();
  }
}

function firstCall(accountId: AccountId, nowMs: number): CallRecord | null {
  const id = run(findFirstCall(parts, accountId, nowMs));
  return id === null ? null : readCall(openLedger(), paths.records, id, deadline);
}

function openLedger(): DatabaseSync {
  ledger ??= openForReading(paths.ledger, deadline);
  assert(ledger !== null, 'the database is there while the program runs');
  return ledger;
}
