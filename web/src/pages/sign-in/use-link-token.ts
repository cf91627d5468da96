import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, type ApiError, call } from '../../api/client.ts';

export type Link = Answer<'readLink'>['data'];

export interface LinkToken {
  readonly token: string;
  /** What the link is for; reading it does not consume it. */
  readonly link: UseQueryResult<Link, ApiError>;
}

/**
 * The token after `#` of the address, which no server and no log ever sees. It is taken out of the address at once, so
 * that it is in no history; a reload finds it in the memory of this tab.
 */
export function useLinkToken(): LinkToken {
  const [token] = useState(takeToken);
  const link = useQuery<Link, ApiError>({
    queryKey: ['links', token],
    queryFn: async ({ signal }) => (await call('readLink', { body: { token } }, { signal })).data,
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { token, link };
}

/** For what comes after: the link is used up, or will not be used. */
export function forgetToken(): void {
  sessionStorage.removeItem(keyOf(window.location.pathname));
}

function takeToken(): string {
  const { hash, pathname, search } = window.location;
  const found = new URLSearchParams(hash.slice(1)).get('token');
  if (found === null) return sessionStorage.getItem(keyOf(pathname)) ?? '';
  sessionStorage.setItem(keyOf(pathname), found);
  window.history.replaceState(window.history.state, '', `${pathname}${search}`);
  return found;
}

function keyOf(pathname: string): string {
  return `turnpike.link.${pathname}`;
}
