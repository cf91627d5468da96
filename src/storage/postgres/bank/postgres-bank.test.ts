/** The contract of banks, on every PostgreSQL that is here. */
import { test } from 'node:test';
import { openPostgresBank } from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { bankContract } from '../../../nodes/contract.ts';

test('there is a PostgreSQL to test with', (context) => {
  if (serverNames.length === 0) context.skip('install the embedded PostgreSQL, or set TEST_DATABASE_URL');
});

for (const name of serverNames) bankContract(`PostgreSQL ${name}`, () => openPostgresBank(name));
