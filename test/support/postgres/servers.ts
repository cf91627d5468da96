/**
 * The PostgreSQL servers that tests use: `TEST_DATABASE_URL` if it is set, otherwise the major that npm brings. A file that runs alone
 * starts it on first use; the files of one `npm test` share it (`share-servers.ts`).
 */
import { dataPlace } from './data-place.ts';
import { installedMajors, type Major } from './installations.ts';
import { startServer } from './start-server.ts';

/** A URL of `http:` that starts servers on demand: see `share-servers.ts`. */
export const SHARED_POSTGRES = 'TURNPIKE_TEST_POSTGRES';

/** What to test with: the configured server, or a major version. */
export type ServerName = 'configured' | Major;

/** Which installed major to test with, instead of the newest: `npm run prove -- postgres-15`. */
export const TESTED_MAJOR = 'TURNPIKE_TEST_POSTGRES_MAJOR';

/** Every server that is here, the newest first. */
export const allServerNames: readonly ServerName[] =
  process.env['TEST_DATABASE_URL'] === undefined ? requiredMajors() : ['configured'];

/** What a test of the whole behaviour runs on: one server, since each doubles what such tests take. */
export const serverNames: readonly ServerName[] = [testedServer()];

/** The other servers: a short test of each says that they work, a proof that all of it does. */
export const olderServerNames: readonly ServerName[] =
  process.env[TESTED_MAJOR] === undefined ? allServerNames.slice(1) : [];

/** Never empty: a file that needs PostgreSQL fails where there is none. */
function requiredMajors(): readonly Major[] {
  const majors = installedMajors();
  if (!majors.includes(18))
    throw new Error(
      'PostgreSQL 18 is missing: run `npm ci`, which brings it on Linux with x64, or set TEST_DATABASE_URL to a superuser of a server.',
    );
  return majors;
}

function testedServer(): ServerName {
  const major = process.env[TESTED_MAJOR];
  const tested = allServerNames.find((name) => major === undefined || String(name) === major);
  if (tested === undefined) throw new Error(`PostgreSQL ${major} is not here: ${allServerNames.join(', ')} is.`);
  return tested;
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
