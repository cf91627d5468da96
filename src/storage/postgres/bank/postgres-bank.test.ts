/** The contract of banks, on every PostgreSQL that is here. */
import { openPostgresBank } from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { bankContract } from '../../../nodes/contract.ts';

for (const name of serverNames) bankContract(`PostgreSQL ${name}`, () => openPostgresBank(name));
