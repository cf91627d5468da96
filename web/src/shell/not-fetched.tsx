import { type ReactElement, useEffect, useRef } from 'react';
import { noteNoAnswer, useConnection } from '../api/connection.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/states.tsx';

/**
 * Shown for a page whose code did not load. It loads by itself once the connection is back; if the connection was never
 * lost, the page usually belongs to an older version. Either way the whole document is reloaded: a browser does not
 * retry a module that failed to load.
 */
export function NotFetched(): ReactElement {
  const isAway = useConnection() !== 'online';
  const wasAway = useRef(false);
  // Check the server now, not with the next heartbeat.
  useEffect(() => noteNoAnswer(), []);
  useEffect(() => {
    if (isAway) wasAway.current = true;
    else if (wasAway.current) window.location.reload();
  }, [isAway]);
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        title={isAway ? 'This page needs a connection' : 'Could not load this page'}
        action={
          <Button icon="refresh" onClick={() => window.location.reload()}>
            Try again
          </Button>
        }
      >
        {isAway
          ? 'It opens automatically when the connection is back.'
          : 'Turnpike may have been updated since you opened this window, or the connection was lost for a moment.'}
      </EmptyState>
    </div>
  );
}
