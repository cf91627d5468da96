/** Goes to another page of the dashboard, in the same account. */
import { useCallback } from 'react';
import { useLocation } from 'wouter';

export interface GoOptions {
  readonly replace?: boolean;
}

export function useGo(): (path: string, options?: GoOptions) => void {
  const [, navigate] = useLocation();
  return useCallback((path, options) => navigate(keepAccount(path), options), [navigate]);
}

/** The path with the page's account, unless it is the default one or the path names one. */
export function keepAccount(path: string): string {
  const account = new URLSearchParams(window.location.search).get('account');
  if (account === null) return path;
  const [beforeHash = '', hash] = path.split('#', 2);
  const [pathname = '', search = ''] = beforeHash.split('?', 2);
  const query = new URLSearchParams(search);
  if (!query.has('account')) query.set('account', account);
  return `${pathname}?${query}${hash === undefined ? '' : `#${hash}`}`;
}
