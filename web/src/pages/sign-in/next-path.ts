/**
 * Where `?next=` leads, if that is a page of this dashboard, else the overview: a link from elsewhere must not be able
 * to send somebody who has just signed in to another host.
 */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  // `//host`, `/\host`, and a path that a browser makes one of these by dropping tabs and line breaks, are other hosts.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)) return '/';
  const address = new URL(next, HERE);
  return address.origin === HERE && !address.pathname.startsWith('//') ? `${address.pathname}${address.search}` : '/';
}

/** Any host works: only whether it changes matters. */
const HERE = 'http://here.invalid';
