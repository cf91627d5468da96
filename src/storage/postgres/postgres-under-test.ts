/** A PostgreSQL storage in a database of its own, for tests. */
import { createDatabase, type TestDatabase } from '../../../test/support/postgres/database.ts';
import type { ServerName } from '../../../test/support/postgres/servers.ts';
import { ManualClock } from '../../core/clock.ts';
import { Secret } from '../../core/secret.ts';
import type { StorageUnderTest } from '../contract/storage-under-test.ts';
import type { Storage } from '../storage.ts';
import { openPostgresDatabase, type PostgresDatabase } from './open-database.ts';

export const SECRETS_UNDER_TEST = {
  pepper: new Secret('0123456789abcdef'.repeat(4)),
  sealingKey: new Secret('fedcba9876543210'.repeat(4)),
};

export interface PostgresUnderTest extends StorageUnderTest {
  readonly database: PostgresDatabase;
  /** Of the database, with its password. */
  readonly url: string;
  reopen(): Promise<PostgresUnderTest>;
}

export async function openPostgresUnderTest(server: ServerName): Promise<PostgresUnderTest> {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  return open(await createDatabase(server), clock);
}

async function open(made: TestDatabase, clock: ManualClock): Promise<PostgresUnderTest> {
  const closing = new AsyncDisposableStack();
  const database = await openPostgresDatabase(
    {
      database: { url: new Secret(made.url), readUrl: null, connections: 4 },
      givenSecrets: SECRETS_UNDER_TEST,
      clock,
      version: '1.2.3',
    },
    closing,
  );
  const none = async () => [];
  return {
    storage: { ...database.stores, secrets: database.secrets } as Storage,
    database,
    url: made.url,
    clock,
    settlements: none,
    holds: none,
    rollups: none,
    async reopen() {
      await closing.disposeAsync();
      return open(made, clock);
    },
    async dispose() {
      await closing.disposeAsync();
      await made.drop();
    },
  };
}
