/** The contract's part about records, stored bodies and reports, on every PostgreSQL that is here. */
import { test } from 'node:test';
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { storedCallsContract } from '../contract.ts';
import { openReportsUnderTest } from './reports/reports-under-test.ts';

test('there is a PostgreSQL to test with', (context) => {
  if (serverNames.length === 0) context.skip('install the embedded PostgreSQL, or set TEST_DATABASE_URL');
});

for (const name of serverNames) storedCallsContract(`PostgreSQL ${name}`, () => openReportsUnderTest(name));
