import { type ReactElement, useEffect, useRef } from 'react';
import { noteNoAnswer, useConnection } from '../api/connection.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/states.tsx';

/**
 * Where a page should stand that did not arrive. It comes by itself once the connection is back; where the connection was
 * never gone the page is most often one of an older version. Either way the whole document is fetched anew: a browser
 * does not ask again for what it could not fetch.
 */
export function NotFetched(): ReactElement {
  const isAway = useConnection() !== 'online';
  const wasAway = useRef(false);
  // Something did not arrive: whether the server is there is asked now, not with the next beat.
  useEffect(() => noteNoAnswer(), []);
  useEffect(() => {
    if (isAway) wasAway.current = true;
    else if (wasAway.current) window.location.reload();
  }, [isAway]);
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        title={isAway ? 'This page needs the connection.' : 'This page could not be fetched.'}
        action={
          <Button icon="refresh" onClick={() => window.location.reload()}>
            Try again
          </Button>
        }
      >
        {isAway
          ? 'It was not opened before the connection went away, and opens by itself when it is back.'
          : 'Turnpike may have been updated since this window was opened, or the connection was gone for a moment.'}
      </EmptyState>
    </div>
  );
}
