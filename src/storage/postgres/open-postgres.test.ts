/** The storage contract, on every PostgreSQL that is here. */
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { storageContract } from '../contract.ts';
import { openPostgresUnderTest } from './postgres-under-test.ts';

for (const name of serverNames) storageContract(`PostgreSQL ${name}`, () => openPostgresUnderTest(name));
