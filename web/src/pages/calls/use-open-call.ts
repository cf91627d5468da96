/** The request shown next to the list, in the URL: `?call=gen-…`. Going back closes it. */
import { useCallback, useRef } from 'react';
import { useLocation } from 'wouter';
import { pagePath } from '../../navigation/base-path.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';

export interface OpenCall {
  /** `gen-…`, or null. */
  readonly id: string | null;
  readonly show: (id: string) => void;
  readonly close: () => void;
}

export function useOpenCall(): OpenCall {
  const [id, setId] = useQueryState('call');
  const [, navigate] = useLocation();
  /** The URL of the list from which a request was opened: one step back returns to it. */
  const listedAt = useRef<string | null>(null);
  const show = useCallback(
    (next: string) => {
      const query = new URLSearchParams(window.location.search);
      const isOpen = query.has('call');
      if (!isOpen) listedAt.current = query.toString();
      query.set('call', next);
      navigate(`${pagePath()}?${query}`, { replace: isOpen });
    },
    [navigate],
  );
  const close = useCallback(() => {
    const query = new URLSearchParams(window.location.search);
    query.delete('call');
    if (listedAt.current === query.toString()) window.history.back();
    else setId('');
    listedAt.current = null;
  }, [setId]);
  return { id: id === '' ? null : id, show, close };
}
