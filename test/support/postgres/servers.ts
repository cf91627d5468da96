/**
 * The PostgreSQL servers that tests use: `TEST_DATABASE_URL` if it is set, otherwise one of each installed major. A file that runs alone
 * starts them on first use; the files of one `npm test` share them (`share-servers.ts`).
 */
import { installedMajors, type Major } from './installations.ts';
import { startServer } from './start-server.ts';

/** A URL of `http:` that starts servers on demand: see `share-servers.ts`. */
export const SHARED_POSTGRES = 'TURNPIKE_TEST_POSTGRES';

/** What to test with: the configured server, or a major version. */
export type ServerName = 'configured' | Major;

/** Empty where there is no PostgreSQL. */
export const serverNames: readonly ServerName[] =
  process.env['TEST_DATABASE_URL'] === undefined ? installedMajors() : ['configured'];

const urls = new Map<ServerName, Promise<string>>();

/** The URL of a superuser's database. */
export function serverUrl(name: ServerName): Promise<string> {
  const url = urls.get(name) ?? findUrl(name);
  urls.set(name, url);
  return url;
}

async function findUrl(name: ServerName): Promise<string> {
  if (name === 'configured') return process.env['TEST_DATABASE_URL'] ?? '';
  const shared = process.env[SHARED_POSTGRES];
  if (shared === undefined) return (await startServer(name)).url;
  const answer = await fetch(`${shared}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
