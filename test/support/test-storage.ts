/** Which storage the gateways of tests have: a data folder, or with `TURNPIKE_TEST_STORAGE=postgres` a database of their own. */
import { createDatabase } from './postgres/database.ts';
import { serverNames } from './postgres/servers.ts';

/** The same on every node of a test. */
export const NODE_SECRETS = {
  pepper: '0123456789abcdef'.repeat(4),
  sealingKey: 'fedcba9876543210'.repeat(4),
} as const;

export interface TestStorage {
  /** Added to `turnpike.yaml`. */
  readonly file: Readonly<Record<string, unknown>>;
  /** Of the database, with its password; null if the ledger is in the data folder, or in a database of the test's own. */
  readonly url: string | null;
  /** After the gateway has ended. */
  drop(): Promise<void>;
}

const [server] = serverNames;

/** A file that names its database keeps it. */
export async function newTestStorage(file: Readonly<Record<string, unknown>>): Promise<TestStorage> {
  if (process.env['TURNPIKE_TEST_STORAGE'] !== 'postgres' || file['database'] !== undefined)
    return { file: {}, url: null, drop: async () => undefined };
  if (server === undefined) throw new Error('there is no PostgreSQL to test with');
  const database = await createDatabase(server);
  const { url } = database;
  return { file: { ...NODE_SECRETS, database: { url } }, url, drop: () => database.drop() };
}
