/** Refuses a server or a schema that Turnpike cannot work with, before anything is written. */

import { DATABASE_URL, UnusableDatabase, type UrlOption } from './explain-connection.ts';
import type { Queryable } from './role.ts';
import { addressOf } from './server-address.ts';

export const OLDEST_MAJOR = 15;

export interface ServerFacts {
  /** 150004 is 15.4. */
  readonly version: number;
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  /** Null if no schema of the search path exists. */
  readonly schema: string | null;
  /** Tables in the schema, and the schema of stored bodies. */
  readonly may_create: boolean;
  readonly encoding: string;
  /** A table of ours, which another program may have made. */
  readonly has_accounts: boolean;
  readonly has_history: boolean;
  /** There is a schema of stored bodies that is not this schema's. */
  readonly has_others_bodies: boolean;
  /** Those of `NEEDED_SETTINGS`, as a connection has them. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * What Turnpike relies on; somebody may have changed it for a role or a database. Where a transaction does not see what was committed while it
 * waited for a lock, the same money is lent twice; without triggers nodes do not follow changes; a crash of a server that does not wait for its
 * disk loses settlements that it has taken. https://www.postgresql.org/docs/current/runtime-config-client.html
 */
const NEEDED_SETTINGS: readonly (readonly [name: string, isGood: (value: string) => boolean, good: string])[] = [
  ['default_transaction_isolation', (value) => value === 'read committed', "'read committed'"],
  ['session_replication_role', (value) => value !== 'replica', 'origin'],
  ['synchronous_commit', (value) => value !== 'off', 'on'],
  ['bytea_output', (value) => value === 'hex', 'hex'],
  ['standard_conforming_strings', (value) => value === 'on', 'on'],
  ['array_nulls', (value) => value === 'on', 'on'],
];

const FACTS = `
  select current_setting('server_version_num')::int as version, pg_is_in_recovery() as is_standby,
    current_setting('default_transaction_read_only')::bool as is_read_only, current_schema() as schema,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) and (
      has_database_privilege(current_database(), 'create') or to_regnamespace('captures') is not null) as may_create, current_setting('server_encoding') as encoding,
    to_regclass('accounts') is not null or to_regclass('keys') is not null as has_accounts,
    to_regclass('migrations') is not null and to_regclass('facts') is not null as has_history,
    to_regnamespace('captures') is not null and to_regclass('records') is null as has_others_bodies`;
const SETTINGS = 'select name, setting from pg_settings where name = any($1)';

export async function readServerFacts(connection: Queryable): Promise<ServerFacts> {
  const { rows } = await connection.query<Omit<ServerFacts, 'settings'>>(FACTS);
  const names = NEEDED_SETTINGS.map(([name]) => name);
  const settings = await connection.query<{ name: string; setting: string }>(SETTINGS, [names]);
  return {
    ...(rows[0] as Omit<ServerFacts, 'settings'>),
    settings: Object.fromEntries(settings.rows.map(({ name, setting }) => [name, setting])),
  };
}

/** Whether there is an installation in the schema: its first start wrote what identifies its secrets, or its accounts were moved there. */
export async function hasInstallation(
  connection: Queryable,
  { has_history }: Pick<ServerFacts, 'has_history'>,
): Promise<boolean> {
  // Before the first migration there are no tables; a move that failed leaves empty ones.
  if (!has_history) return false;
  const { rows } = await connection.query<{ has: boolean }>(
    "select exists (select from accounts) or exists (select from facts where name = 'pepper_digest') as has",
  );
  return rows[0]?.has === true;
}

/** Throws `UnusableDatabase`. */
export function checkServer(facts: ServerFacts, url: string, option: UrlOption = DATABASE_URL): void {
  const sentence = complaintOf(facts, url, option);
  if (sentence !== null) throw new UnusableDatabase(sentence);
}

/** Why it cannot be used, and what to do; null if it can. */
export function complaintOf(facts: ServerFacts, url: string, { name } = DATABASE_URL): string | null {
  const { server, database, user } = addressOf(url);
  const { version, is_standby, is_read_only, schema, may_create, encoding, has_accounts, has_history } = facts;
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_MAJOR)
    return `PostgreSQL at ${server} is version ${major}; Turnpike needs ${OLDEST_MAJOR} or later. Upgrade it, or use another server.`;
  if (is_standby)
    return `PostgreSQL at ${server} is a standby, which cannot be written to. Set ${name} to the primary; a standby can be database.readUrl.`;
  if (is_read_only)
    return `The database ${database} at ${server} is read-only (default_transaction_read_only is on). Some services set this when their disk is full. Free some space, or: ALTER DATABASE "${database}" SET default_transaction_read_only = off;`;
  if (encoding !== 'UTF8')
    return `The database ${database} at ${server} has the encoding ${encoding}. Create one with UTF8: CREATE DATABASE "${database}" ENCODING 'UTF8' TEMPLATE template0;`;
  if (schema === null)
    return `The database ${database} at ${server} has no schema that ${user} can use. Create one: CREATE SCHEMA AUTHORIZATION "${user}";`;
  if (!may_create)
    return `${user} may not create tables in the schema ${schema} of ${database} at ${server}. Allow it: GRANT ALL ON SCHEMA "${schema}" TO "${user}"; GRANT CREATE ON DATABASE "${database}" TO "${user}"; or make it the owner of the database.`;
  if (has_accounts && !has_history)
    return `The schema ${schema} of ${database} at ${server} has tables of another program, such as accounts or keys. Use a database, or a schema, of its own: CREATE SCHEMA turnpike AUTHORIZATION "${user}"; ALTER ROLE "${user}" SET search_path = turnpike;`;
  if (facts.has_others_bodies)
    return `The database ${database} at ${server} has an installation of Turnpike in another schema than ${schema}, or a schema "captures" of another program. A database has room for one installation: set search_path to its schema, or create another database.`;
  return settingComplaint(facts, url);
}

function settingComplaint({ settings }: ServerFacts, url: string): string | null {
  const { server, database, user } = addressOf(url);
  for (const [name, isGood, good] of NEEDED_SETTINGS) {
    const value = settings[name];
    if (value === undefined || isGood(value)) continue;
    return `PostgreSQL at ${server} has ${name} = ${value} for ${user} in ${database}, with which Turnpike cannot keep its promises. Set it: ALTER ROLE "${user}" IN DATABASE "${database}" SET ${name} = ${good};`;
  }
  return null;
}
