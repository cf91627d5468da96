/** The URL of a database as its client gets it. */

/**
 * With `require` and `verify-ca` certificates are checked as with `verify-full`, whatever later versions of the client make of them; this one
 * prints a warning: https://github.com/brianc/node-postgres/tree/master/packages/pg-connection-string#ssl
 */
const CHECKED: ReadonlySet<string | null> = new Set(['require', 'verify-ca']);

export function connectionString(url: string): string {
  const parsed = new URL(url);
  if (!CHECKED.has(parsed.searchParams.get('sslmode'))) return url;
  parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}
