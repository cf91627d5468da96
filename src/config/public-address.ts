/** What `publicUrl` may be: an origin, optionally with the path below which a proxy serves Turnpike. */

export const PUBLIC_ADDRESS =
  "must be an origin with an optional path of letters, digits and . _ ~ - (https://example.com/llm) that does not start with one of Turnpike's own paths";

/** Paths that clients request without a base path; a base path that begins with one would be ambiguous. */
const OWN = new Set([
  'api',
  'assets',
  'chat',
  'control',
  'docs',
  'health',
  'healthz',
  'messages',
  'metrics',
  'openapi.json',
  'readyz',
  'v1',
]);
const PATH = /^(?:\/[\w.~-]+)*\/?$/;

export function isPublicAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { pathname, search, hash, username, password } = new URL(text);
  if (search !== '' || hash !== '' || username !== '' || password !== '' || !PATH.test(pathname)) return false;
  return !OWN.has((pathname.split('/', 2)[1] ?? '').toLowerCase());
}
