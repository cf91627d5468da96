/** The database of an installation, checked and migrated, with its secrets and what is not about calls. */
import type { Clock } from '../../core/clock.ts';
import type { GivenSecrets, Secrets } from '../../credentials/ports.ts';
import { ledgerLeftBehind } from '../move/left-behind.ts';
import { MOVED_FACT, movedSentence, readMark } from '../move/moved-mark.ts';
import type { DatabaseOptions } from '../storage.ts';
import { type ControlDatabase, type ControlStores, controlStores, openControlDatabase } from './control-stores.ts';
import { checkServer, hasInstallation, readServerFacts } from './engine/check-server.ts';
import { openConnections, type PostgresConnections } from './engine/connections.ts';
import { explainConnection, UnusableDatabase } from './engine/explain-connection.ts';
import { isDatabaseTrouble } from './engine/postgres-errors.ts';
import { addressOf } from './engine/server-address.ts';
import { appliedMigrations, migratePostgres } from './migrations/migrate.ts';
import { checkProgram } from './migrations/rolling-upgrade.ts';
import { openDatabaseSecrets } from './secrets/database-secrets.ts';

export interface PostgresDatabase extends ControlDatabase {
  readonly connections: PostgresConnections;
  readonly stores: ControlStores;
  readonly secrets: Secrets;
}

export interface OpenDatabaseParts {
  /** The data folder, absolute, which may not exist. */
  readonly folder: string;
  readonly database: Pick<DatabaseOptions, 'url' | 'readUrl' | 'connections'>;
  readonly givenSecrets: GivenSecrets;
  readonly clock: Clock;
  /** Of this program. */
  readonly version: string;
}

/**
 * Registers what it opens with `closing`. Throws `UnusableDatabase`, which says what to do, if the server cannot be reached or is too old, may not
 * be written to, is empty although the data folder has a ledger, belongs to another program or installation, or to a version that removed what this one needs.
 */
export async function openPostgresDatabase(
  { folder, database, givenSecrets, clock, version }: OpenDatabaseParts,
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
    const facts = await readServerFacts(connections.control);
    checkServer(facts, url);
    if (!(await hasInstallation(connections.control, facts))) await refuseToLeaveBehind(folder, url);
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

/** What was never moved would seem to be lost. */
async function refuseToLeaveBehind(folder: string, url: string): Promise<void> {
  const { database, server } = addressOf(url);
  const sentence = await ledgerLeftBehind(folder, `${database} at ${server}`);
  if (sentence !== null) throw new UnusableDatabase(sentence);
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
