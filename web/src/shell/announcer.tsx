import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';

/** After a change of page: announces its title to screen readers, and moves focus and scroll position to its top. */
export function Announcer({ main }: { readonly main: RefObject<HTMLElement | null> }): ReactElement {
  const [location] = useLocation();
  const [title, setTitle] = useState('');
  const before = useRef(location);
  useEffect(() => {
    if (before.current === location) return;
    before.current = location;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
    // The page has set its title by then, even if it had to be fetched first.
    const timer = setTimeout(() => setTitle(document.title), 100);
    return () => clearTimeout(timer);
  }, [location, main]);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {title}
    </div>
  );
}
