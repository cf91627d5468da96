/** The storage contract on PostgreSQL. */
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { storageContract } from '../contract.ts';
import { openPostgresUnderTest } from './postgres-under-test.ts';

for (const name of serverNames) storageContract(`PostgreSQL ${name}`, () => openPostgresUnderTest(name));
