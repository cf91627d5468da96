/** Brings the schema of a database up to this program's version before a move, and returns its secrets if a configuration is given. */
import { systemClock } from '../../core/clock.ts';
import type { GivenSecrets, Secrets } from '../../credentials/ports.ts';
import { controlStores, openControlDatabase } from '../postgres/control-stores.ts';
import { checkServer, readServerFacts } from '../postgres/engine/check-server.ts';
import { openConnections } from '../postgres/engine/connections.ts';
import { explainConnection, UnusableDatabase, type UrlOption } from '../postgres/engine/explain-connection.ts';
import { isDatabaseTrouble } from '../postgres/engine/postgres-errors.ts';
import { appliedMigrations, migratePostgres } from '../postgres/migrations/migrate.ts';
import { checkProgram } from '../postgres/migrations/rolling-upgrade.ts';
import { openDatabaseSecrets } from '../postgres/secrets/database-secrets.ts';

export interface PreparedDatabase {
  readonly url: string;
  /** What the operator gave the URL with. */
  readonly option: UrlOption;
  /** Of this program. */
  readonly version: string;
  readonly given?: GivenSecrets | null;
}

/** Throws `UnusableDatabase`, which says what to do, if the server or the database cannot be used. */
export async function prepareDatabase({
  url,
  option,
  version,
  given = null,
}: PreparedDatabase): Promise<Secrets | null> {
  const connections = await openConnections({ url, readUrl: null, connections: 2 });
  try {
    checkServer(await readServerFacts(connections.control), url, option);
    const { kysely } = openControlDatabase(connections.maintenance);
    if ((await appliedMigrations(kysely)).size > 0) await checkProgram(kysely, version);
    await migratePostgres(kysely);
    if (given === null) return null;
    const control = openControlDatabase(connections.control);
    const { feed, unreadable } = controlStores(control, systemClock);
    return await openDatabaseSecrets(given, { ...control, feed, unreadable, clock: systemClock });
  } catch (error) {
    throw !(error instanceof UnusableDatabase) && isDatabaseTrouble(error)
      ? explainConnection(error, url, option)
      : error;
  } finally {
    await connections.close();
  }
}
