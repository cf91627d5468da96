import { checkDatabaseParameters } from './database-parameters.ts';

/**
 * Checks the URL of a database: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS. Throws a `TypeError`
 * whose message may be shown: it does not repeat any part of the URL, which may have a password.
 */
export function parseDatabaseUrl(text: string): void {
  if (!/^postgres(?:ql)?:\/\//.test(text))
    throw new TypeError('must be the URL of a PostgreSQL database, like postgres://user:password@host:5432/turnpike');
  if (!URL.canParse(text))
    throw new TypeError(
      'is not a URL; in a user or a password write %40 for @, %3A for :, %2F for /, %23 for #, %3F for ? and %25 for %',
    );
  const url = new URL(text);
  const { pathname, hostname, username, password, hash } = url;
  if (hash !== '') throw new TypeError('has a #; in a password write %23 for it');
  if (hostname.includes(',')) throw new TypeError('names several hosts; give one address that follows the primary');
  if (pathname.length < 2) throw new TypeError('names no database; add it to its end, like /turnpike');
  for (const part of [username, password, pathname]) checkEscapes(part);
  checkDatabaseParameters(url);
}

function checkEscapes(text: string): void {
  try {
    decodeURIComponent(text);
  } catch {
    throw new TypeError('has a % that begins no escape; write %25 for it');
  }
}

/**
 * Checks the URL of a Valkey or Redis: https://www.iana.org/assignments/uri-schemes/prov/redis. Throws a `TypeError` whose message may be shown:
 * it does not repeat any part of the URL, which may have a password.
 */
export function parseValkeyUrl(text: string): void {
  if (!/^rediss?:\/\//.test(text))
    throw new TypeError('must be the URL of a Valkey or Redis, like redis://:password@host:6379');
  if (!URL.canParse(text))
    throw new TypeError('is not a URL; in a password write %40 for @, %2F for /, %23 for # and %25 for %');
  const { hostname, pathname } = new URL(text);
  if (hostname === '') throw new TypeError('names no host');
  if (!/^\/?\d*$/.test(pathname))
    throw new TypeError('may end with the number of a database, like /0, and nothing else');
}
