/** For tests of reports: a storage with calls of two accounts over some days, settled and recorded, and a reader on it. */

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CallRecord } from '../../../stats/ports.ts';
import { fillCalls } from '../../contract/stats-rows.ts';
import type { QuestionReader } from '../../stats/question-reader.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';
import { openSqliteReader, type SqliteReaderParts } from './sqlite-answerer.ts';

export interface ReportsUnderTest {
  readonly subject: SqliteUnderTest;
  readonly reader: QuestionReader;
  /** Of both accounts, oldest first. */
  readonly records: readonly CallRecord[];
}

export async function openReports(
  context: TestContext,
  count: number,
  changes: Partial<SqliteReaderParts> = {},
): Promise<ReportsUnderTest> {
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
  context.after(async () => {
    await reader.close();
    await subject.dispose();
  });
  return { subject, reader, records };
}
