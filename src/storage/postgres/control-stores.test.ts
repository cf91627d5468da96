/** The control plane's part of the storage contract, on every PostgreSQL that is here. */
import { test } from 'node:test';
import { createDatabase } from '../../../test/support/postgres/database.ts';
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { ManualClock } from '../../core/clock.ts';
import type { StorageUnderTest } from '../contract/storage-under-test.ts';
import { controlPlaneContract } from '../contract.ts';
import type { Storage } from '../storage.ts';
import { controlStores, openControlDatabase } from './control-stores.ts';
import { openConnections } from './engine/connections.ts';

test('there is a PostgreSQL to test with', (context) => {
  if (serverNames.length === 0) context.skip('install the embedded PostgreSQL, or set TEST_DATABASE_URL');
});

for (const name of serverNames)
  controlPlaneContract(`PostgreSQL ${name}`, async () => {
    const database = await createDatabase(name);
    const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
    const open = async (): Promise<StorageUnderTest> => {
      const connections = await openConnections({ url: database.url, readUrl: null, connections: 4 });
      const none = async () => [];
      let isOpen = true;
      const close = async () => {
        if (isOpen) await connections.close();
        isOpen = false;
      };
      return {
        storage: controlStores(openControlDatabase(connections.control), clock) as Storage,
        clock,
        settlements: none,
        holds: none,
        rollups: none,
        async reopen() {
          await close();
          return open();
        },
        async dispose() {
          await close();
          await database.drop();
        },
      };
    };
    return open();
  });
