/** The thread that reads reports, on a connection of its own. */
import { setPriority } from 'node:os';
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
import { listMonths } from '../../sql/reports/read-months.ts';
import { readUsage, readUsageGroups } from '../../sql/reports/read-usage.ts';
import type { Steps } from '../../sql/reports/steps.ts';
import type { StatsQuestion } from '../../stats/questions.ts';
import { READER_NICENESS, type ReaderReply, type ReaderRequest } from '../../threads/messages.ts';
import { ReadDeadline, ReadTooLate } from '../../threads/read-deadline.ts';
import { UnusableDatabase } from '../engine/explain-connection.ts';
import { isDatabaseTrouble } from '../engine/postgres-errors.ts';
import { movementRows } from './archived-rows.ts';
import { PostgresCalls } from './postgres-calls.ts';
import { findByUpstreamId, readCall } from './read-call.ts';
import { readLatency, readModelLatency } from './read-latency.ts';
import { RecordRows } from './record-rows.ts';
import { ReportConnection, reportParts } from './report-connection.ts';
import type { ReportSource } from './report-source.ts';

/** Between two statements of a question nothing is awaited but the next one. */
const IDLE_MS = 10_000;

const port = parentPort;
assert(port !== null, 'this file runs as a thread');
const source = workerData as ReportSource;
const deadline = new ReadDeadline(systemClock);
const connection = new ReportConnection(source, deadline, { idleMs: IDLE_MS });
const parts = { ...reportParts(deadline), hours: new HourCache() };
const rows = new RecordRows();
if (process.platform === 'linux') setPriority(READER_NICENESS);

port.on('message', async (request: ReaderRequest) => {
  if (request.type === 'read') {
    port.postMessage(await answer(request.question, request.budgetMs));
    return;
  }
  await connection.close();
  port.postMessage({ type: 'read', found: null } satisfies ReaderReply);
  port.close();
});

async function answer(question: StatsQuestion, budgetMs: number): Promise<ReaderReply> {
  try {
    deadline.set(budgetMs);
    return { type: 'read', found: await connection.run(stepsOf(question)) };
  } catch (error) {
    if (error instanceof ReadTooLate) return { type: 'late' };
    if (error instanceof UnusableDatabase) return { type: 'unavailable', reason: error.message };
    if (isDatabaseTrouble(error)) return { type: 'unavailable', reason: null };
    return { type: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function stepsOf(question: StatsQuestion): Steps<unknown> {
  switch (question.type) {
    case 'activity':
      return readActivity(parts, question.query, question.rowsMax);
    case 'call':
      return readCall(rows, question.id);
    case 'upstream':
      return findByUpstreamId(parts, rows, question.upstreamId, question.owner);
    case 'usage':
      return usage(question.query);
    case 'usageGroups':
      return readUsageGroups(parts, question.query);
    case 'firstBytes':
      return readModelLatency(question.query);
    case 'calls': {
      const recordsFor = (query: CallsQuery) => new PostgresCalls(rows, query);
      return listCalls({ ...parts, recordsFor, searchMs: question.searchMs }, question.query);
    }
    case 'movements':
      return movements(question.query, question.searchMs);
    case 'months':
      return listMonths(parts, question.query);
    case 'firstCall':
      return firstCall(question.accountId, question.nowMs);
  }
}

function* usage(query: UsageQuery): Steps<UsageReport> {
  const sums = yield* readUsage(parts, query);
  return { ...sums, firstBytes: yield* readLatency(parts, query) };
}

function* movements(query: MovementsQuery, searchMs: number): Steps<MovementsPage> {
  return yield* listMovements({ ...parts, rows: yield* movementRows(query), searchMs }, query);
}

function* firstCall(accountId: AccountId, nowMs: number): Steps<CallRecord | null> {
  const id = yield* findFirstCall(parts, accountId, nowMs);
  return id === null ? null : yield* readCall(rows, id);
}
