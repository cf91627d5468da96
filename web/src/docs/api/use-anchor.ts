/** The part after `#` in the address. The element that it names is scrolled to once it is rendered. */
import { useEffect, useState } from 'react';

export function useAnchor(): string {
  const [anchor, setAnchor] = useState(readAnchor);
  useEffect(() => {
    const follow = (): void => setAnchor(readAnchor());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  // The browser looks for it before the document has been read, and finds nothing.
  useEffect(() => {
    const id = readAnchor();
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, []);
  return anchor;
}

/** Puts an anchor into the address without another entry in the history. */
export function replaceAnchor(anchor: string): void {
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', `${pathname}${search}#${anchor}`);
}

function readAnchor(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return '';
  }
}
