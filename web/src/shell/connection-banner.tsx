import type { ReactElement } from 'react';
import { askNow, useConnection } from '../api/connection.ts';
import { Button, Icon } from '../components/index.ts';

/** Over every page while nothing new can arrive. */
export function ConnectionBanner(): ReactElement {
  const connection = useConnection();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex justify-center px-4 pb-4">
      {connection !== 'online' && (
        <div className="fade pointer-events-auto flex max-w-full items-center gap-3 rounded-lg border border-transparent bg-warn-soft py-2 pr-2 pl-3.5 text-sm text-warn-text shadow-raised">
          <Icon name="warning" />
          <p className="min-w-0 pr-1.5">
            <strong className="font-medium">
              {connection === 'offline' ? 'You are offline.' : 'Cannot reach the server.'}
            </strong>{' '}
            This page may be out of date.
          </p>
          {connection === 'unreachable' && (
            <Button size="small" kind="ghost" className="shrink-0 border-current text-warn-text" onClick={askNow}>
              Retry now
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
