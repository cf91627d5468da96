/**
 * Checks the parameters of a database's URL, so that none is ignored: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS.
 * Throws a `TypeError` whose message may be shown. What is unknown is not repeated: with a ? in it, a password ends up here.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { readAuthorities } from '../../upstream/authorities.ts';
import { nearest } from '../nearest.ts';

const FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;
const SUPPORTED = ['sslmode', ...FILES, 'host', 'options', 'application_name'] as const;
/** The weaker checks of libpq are not offered: what is not checked is said by name. */
const MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const;

/** What other programs understand, and what to do here instead. */
const OTHERS: Readonly<Record<string, string>> = {
  ssl: 'write sslmode=verify-full, or sslmode=disable',
  uselibpqcompat: 'write sslmode=verify-full',
  sslnegotiation: 'remove it',
  channel_binding: 'remove it',
  gssencmode: 'remove it',
  target_session_attrs: 'remove it, and give one address that follows the primary',
  load_balance_hosts: 'remove it, and give one address that follows the primary',
  connect_timeout: 'remove it; a connection has five seconds here',
  pgbouncer: 'remove it; nothing has to be set for a pooler',
  connection_limit: 'remove it, and set database.connections',
  pool_timeout: 'remove it',
  schema: 'remove it, and set search_path for the role',
  search_path: 'remove it, and set it for the role, or write options=-c%20search_path%3D…',
  user: 'write it before the host',
  password: 'write it before the host',
  dbname: 'write it after the host',
  port: 'write it after the host',
};

export function checkDatabaseParameters({ searchParams }: URL): void {
  const given = new Map<string, string>();
  for (const [name, value] of searchParams) {
    checkName(name);
    if (given.has(name)) throw new TypeError(`has ${name} twice`);
    given.set(name, value);
  }
  const mode = given.get('sslmode') ?? null;
  if (mode !== null) checkMode(mode);
  for (const name of FILES) {
    const path = given.get(name);
    if (path === undefined) continue;
    if (mode === 'disable' || (mode === 'no-verify' && name === 'sslrootcert'))
      throw new TypeError(`has ${name}, which has no effect with sslmode=${mode}; remove one of them`);
    checkFile(name, path);
  }
  if (given.has('sslcert') !== given.has('sslkey')) throw new TypeError('needs sslcert and sslkey together');
}

function checkName(name: string): void {
  if (SUPPORTED.some((each) => each === name)) return;
  const advice = Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined;
  if (advice !== undefined) throw new TypeError(`has the parameter ${name}, which has no effect here: ${advice}`);
  const meant = nearest(name, SUPPORTED);
  throw new TypeError(
    `has an unknown parameter after ?, which may have ${SUPPORTED.join(', ')}${meant === null ? '; in a password write %3F for ?' : `; did you mean ${meant}?`}`,
  );
}

function checkMode(mode: string): void {
  if (MODES.some((each) => each === mode)) return;
  if (mode === 'prefer' || mode === 'allow')
    throw new TypeError(
      `has sslmode=${mode}, with which whoever is in between decides whether there is TLS; write sslmode=verify-full, or sslmode=disable`,
    );
  const meant = nearest(mode, MODES);
  throw new TypeError(
    `has an unknown sslmode; known are ${MODES.join(', ')}${meant === null ? '' : `; did you mean ${meant}?`}`,
  );
}

/** Absolute: threads and programs may have another working directory. */
function checkFile(name: (typeof FILES)[number], path: string): void {
  if (!isAbsolute(path)) throw new TypeError(`names a file with ${name} that is not an absolute path`);
  try {
    if (name === 'sslrootcert') readAuthorities(path);
    else readFileSync(path);
  } catch (error) {
    throw new TypeError(`names a file with ${name} that cannot be used: ${(error as Error).message}`);
  }
}
