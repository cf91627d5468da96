/** The storage contract, on every PostgreSQL that is here. */
import { test } from 'node:test';
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { storageContract } from '../contract.ts';
import { openPostgresUnderTest } from './postgres-under-test.ts';

test('there is a PostgreSQL to test with', (context) => {
  if (serverNames.length === 0) context.skip('install the embedded PostgreSQL, or set TEST_DATABASE_URL');
});

for (const name of serverNames) storageContract(`PostgreSQL ${name}`, () => openPostgresUnderTest(name));
