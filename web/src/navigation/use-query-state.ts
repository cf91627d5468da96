/** State in the address, so that a link and a reload show the same. */
import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';
import { pagePath } from './base-path.ts';

/**
 * A parameter of the address: its text, `fallback` if it is absent, and how to change it. The fallback and the empty
 * text are not written. A change replaces the entry in the history.
 */
export function useQueryState(name: string, fallback = ''): readonly [string, (value: string) => void] {
  const [values, change] = useQueryStates();
  const set = useCallback(
    (value: string) => change({ [name]: value === fallback ? null : value }),
    [change, name, fallback],
  );
  return [values.get(name) ?? fallback, set];
}

/** All parameters, and a function to change several together; null removes one. */
export function useQueryStates(): readonly [
  URLSearchParams,
  (changes: Readonly<Record<string, string | null>>) => void,
] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const change = useCallback(
    (changes: Readonly<Record<string, string | null>>) => {
      // Read at the moment of the change: two changes in one turn must not undo each other.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      }
      const text = next.toString();
      navigate(`${pagePath()}${text === '' ? '' : `?${text}`}`, { replace: true });
    },
    [navigate],
  );
  return [new URLSearchParams(search), change];
}
