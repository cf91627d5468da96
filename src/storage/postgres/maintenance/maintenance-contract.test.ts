/** The contract of every storage for maintenance, on every PostgreSQL that is here: one node with its journal and a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { ledgerRulesModule } from '../../../billing/ledger-rules.ts';
import { ManualClock } from '../../../core/clock.ts';
import { Secret } from '../../../core/secret.ts';
import type { StorageUnderTest } from '../../contract/storage-under-test.ts';
import { maintenanceContract } from '../../contract.ts';
import { openPostgres } from '../open-postgres.ts';
import { SECRETS_UNDER_TEST } from '../postgres-under-test.ts';

const TICK_MS = 5;

for (const server of serverNames)
  maintenanceContract(`PostgreSQL ${server}`, async () => {
    const database = await createDatabase(server);
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
    const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
    // The journal gathers for moments of this clock before it sends.
    const flow = setInterval(() => clock.advance(TICK_MS), TICK_MS);
    const open = async (): Promise<StorageUnderTest> => {
      const storage = await openPostgres({
        folder,
        clock,
        durability: 'database',
        database: {
          ...{ url: new Secret(database.url), readUrl: null, connections: 4, nodeName: 'here', role: 'node' },
        },
        recordsBytesMax: 2 ** 30,
        givenSecrets: SECRETS_UNDER_TEST,
        maintenance: {
          ...{ billingMode: 'prepaid', longestCallMs: 3_600_000, version: '1.2.3', rulesModule: ledgerRulesModule },
        },
        onProblem({ cause }) {
          throw cause;
        },
      });
      const none = async () => [];
      let isOpen = true;
      const close = async () => {
        if (isOpen) await storage.close();
        isOpen = false;
      };
      return {
        ...{ storage, clock, settlements: none, holds: none, rollups: none },
        async reopen() {
          await close();
          return open();
        },
        async dispose() {
          await close();
          clearInterval(flow);
          await database.drop();
          rmSync(folder, { recursive: true });
        },
      };
    };
    return open();
  });
