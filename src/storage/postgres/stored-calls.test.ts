/** The contract's part about records, stored bodies and reports, on every PostgreSQL that is here. */
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { storedCallsContract } from '../contract.ts';
import { openReportsUnderTest } from './reports/reports-under-test.ts';

for (const name of serverNames) storedCallsContract(`PostgreSQL ${name}`, () => openReportsUnderTest(name));
