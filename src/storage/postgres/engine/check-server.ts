/** Refuses a server or a schema that Turnpike cannot work with, before anything is written. */

import { UnusableDatabase } from './explain-connection.ts';
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
}

const FACTS = `
  select current_setting('server_version_num')::int as version, pg_is_in_recovery() as is_standby,
    current_setting('default_transaction_read_only')::bool as is_read_only, current_schema() as schema,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) and (
      has_database_privilege(current_database(), 'create') or to_regnamespace('captures') is not null) as may_create, current_setting('server_encoding') as encoding,
    to_regclass('accounts') is not null or to_regclass('keys') is not null as has_accounts,
    to_regclass('migrations') is not null and to_regclass('facts') is not null as has_history`;

export async function readServerFacts(connection: Queryable): Promise<ServerFacts> {
  const { rows } = await connection.query<ServerFacts>(FACTS);
  return rows[0] as ServerFacts;
}

/** Throws `UnusableDatabase`. */
export function checkServer(facts: ServerFacts, url: string): void {
  const sentence = complaintOf(facts, url);
  if (sentence !== null) throw new UnusableDatabase(sentence);
}

/** Why it cannot be used, and what to do; null if it can. */
export function complaintOf(facts: ServerFacts, url: string): string | null {
  const { server, database, user } = addressOf(url);
  const { version, is_standby, is_read_only, schema, may_create, encoding, has_accounts, has_history } = facts;
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_MAJOR)
    return `PostgreSQL at ${server} is version ${major}; Turnpike needs ${OLDEST_MAJOR} or later. Upgrade it, or use another server.`;
  if (is_standby)
    return `PostgreSQL at ${server} is a standby, which cannot be written to. Set database.url (DATABASE_URL) to the primary; a standby can be database.readUrl.`;
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
  return null;
}
