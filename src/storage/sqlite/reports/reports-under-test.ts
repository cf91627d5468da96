/** For tests of reports: a storage with settled and recorded calls of two accounts over some days, and a reader. */

import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import type { CallRecord } from '../../../stats/ports.ts';
import { fillCalls } from '../../contract/stats-rows.ts';
import type { QuestionReader } from '../../stats/question-reader.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';
import { openSqliteReader, type SqliteReaderParts } from './sqlite-answerer.ts';

export interface ReportsUnderTest {
  readonly subject: SqliteUnderTest;
  readonly reader: QuestionReader;
  /** The records of both accounts, oldest first. */
  readonly records: readonly CallRecord[];
}

/** Closed after the test. */
export async function openReports(
  context: TestContext,
  count: number,
  changes: Partial<SqliteReaderParts> = {},
): Promise<ReportsUnderTest> {
  const { reports, close } = await open(count, changes);
  context.after(close);
  return reports;
}

/** For all tests of a file or suite that only read: opened by the first that asks, closed after the last. */
export function shareReports(count: number): () => Promise<ReportsUnderTest> {
  let opened: ReturnType<typeof open> | null = null;
  after(async () => (await opened)?.close());
  return async () => {
    opened ??= open(count);
    return (await opened).reports;
  };
}

async function open(count: number, changes: Partial<SqliteReaderParts> = {}) {
  const subject = await openSqliteUnderTest();
  const records = await fillCalls(subject, count);
  const reader = openSqliteReader({
    paths: { ledger: subject.databasePath, records: join(subject.folder, 'records') },
    clock: subject.clock,
    drainRecords: () => subject.storage.records.drain(),
    // However busy the machine is that tests: a test about time sets its own.
    deadlineMs: 60_000,
    searchMs: 60_000,
    ...changes,
  });
  const reports: ReportsUnderTest = { subject, reader, records };
  return {
    reports,
    async close() {
      await reader.close();
      await subject.dispose();
    },
  };
}
