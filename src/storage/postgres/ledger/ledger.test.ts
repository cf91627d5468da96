/** The ledger of a node keeps the contract of every ledger: settlements go through its journal, and a commit waits for PostgreSQL. */
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { ledgerContract } from '../../contract.ts';
import { openLedgerUnderTest } from './ledger-under-test.ts';

for (const server of serverNames) ledgerContract(`PostgreSQL ${server}`, () => openLedgerUnderTest(server));
