import { useEffect } from 'react';

/** The document's title: `Keys · Turnpike`. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Turnpike`;
  }, [title]);
}
