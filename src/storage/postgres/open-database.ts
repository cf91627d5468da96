/** The database of an installation, checked and migrated, with its secrets and what is not about calls. */
import type { Clock } from '../../core/clock.ts';
import type { GivenSecrets, Secrets } from '../../credentials/ports.ts';
import { MOVED_FACT, movedSentence, readMark } from '../move/moved-mark.ts';
import type { DatabaseOptions } from '../storage.ts';
import { type ControlDatabase, type ControlStores, controlStores, openControlDatabase } from './control-stores.ts';
import { checkServer, readServerFacts } from './engine/check-server.ts';
import { openConnections, type PostgresConnections } from './engine/connections.ts';
import { explainConnection, UnusableDatabase } from './engine/explain-connection.ts';
import { isDatabaseTrouble } from './engine/postgres-errors.ts';
import { appliedMigrations, migratePostgres } from './migrations/migrate.ts';
import { checkProgram } from './migrations/rolling-upgrade.ts';
import { openDatabaseSecrets } from './secrets/database-secrets.ts';

export interface PostgresDatabase extends ControlDatabase {
  readonly connections: PostgresConnections;
  readonly stores: ControlStores;
  readonly secrets: Secrets;
}

export interface OpenDatabaseParts {
  readonly database: Pick<DatabaseOptions, 'url' | 'readUrl' | 'connections'>;
  readonly givenSecrets: GivenSecrets;
  readonly clock: Clock;
  /** Of this program. */
  readonly version: string;
}

/**
 * Registers what it opens with `closing`. Throws `UnusableDatabase`, which says what to do, if the server cannot be reached or is too old, may not
 * be written to, belongs to another program or installation, or to a version that removed what this one needs.
 */
export async function openPostgresDatabase(
  { database, givenSecrets, clock, version }: OpenDatabaseParts,
  closing: AsyncDisposableStack,
): Promise<PostgresDatabase> {
  const url = database.url.reveal();
  const connections = await openConnections({
    url,
    readUrl: database.readUrl?.reveal() ?? null,
    connections: database.connections,
  });
  closing.defer(() => connections.close());
  try {
    checkServer(await readServerFacts(connections.control), url);
    const control = openControlDatabase(connections.control);
    await migrate(connections, version);
    const stores = controlStores(control, clock);
    await refuseMoved(control);
    const secrets = await openDatabaseSecrets(givenSecrets, {
      ...control,
      clock,
      feed: stores.feed,
      unreadable: stores.unreadable,
    });
    return { ...control, connections, secrets, stores };
  } catch (error) {
    throw !(error instanceof UnusableDatabase) && isDatabaseTrouble(error) ? explainConnection(error, url) : error;
  }
}

/** A ledger that moved to a data folder is settled there. */
async function refuseMoved({ kysely }: ControlDatabase): Promise<void> {
  const fact = await kysely.selectFrom('facts').select('value').where('name', '=', MOVED_FACT).executeTakeFirst();
  const mark = readMark(fact?.value ?? null);
  if (mark !== null) throw new UnusableDatabase(movedSentence(mark));
}

/** On connections without a time limit. */
async function migrate({ maintenance }: PostgresConnections, version: string): Promise<void> {
  const { kysely } = openControlDatabase(maintenance);
  if ((await appliedMigrations(kysely)).size > 0) await checkProgram(kysely, version);
  await migratePostgres(kysely);
}
