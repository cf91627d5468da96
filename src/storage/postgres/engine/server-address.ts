/** Where a database is, for messages: without user and password. */
export interface ServerAddress {
  /** `host:port`. */
  readonly server: string;
  readonly database: string;
  readonly user: string;
}

const DEFAULT_PORT = '5432';

/** The configuration has checked the URL. */
export function addressOf(url: string): ServerAddress {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname);
  return {
    server: `${host}:${port === '' ? DEFAULT_PORT : port}`,
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
  };
}
