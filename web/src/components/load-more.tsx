import type { ReactElement } from 'react';
import { Button } from './button.tsx';

export interface LoadMoreProps {
  /** The result of `usePages`. */
  readonly pages: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  /** How many are shown: `120 requests`. */
  readonly shown?: string;
}

/** Loads the next page of a list; renders nothing after the last. */
export function LoadMore({ pages, shown }: LoadMoreProps): ReactElement | null {
  if (!pages.hasNextPage) return null;
  return (
    <div className="flex items-center justify-center gap-3 border-t py-3">
      <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        Load more
      </Button>
      {shown !== undefined && <span className="figures text-sm text-muted">{shown}</span>}
    </div>
  );
}
