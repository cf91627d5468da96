import type { ReactElement } from 'react';
import { Button, ErrorNote } from '../../components/index.ts';
import { formatTime } from '../../format/figures.ts';

interface SearchedToProps {
  readonly pages: {
    readonly data: readonly { readonly searched_to: string | null }[] | undefined;
    readonly rows: readonly unknown[];
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  /** What is listed: `calls`. */
  readonly noun: string;
}

/** How far back a search has come when its time was over, with the way on; else the way to the next page. */
export function SearchedTo({ pages, noun }: SearchedToProps): ReactElement | null {
  if (!pages.hasNextPage) return null;
  const searchedTo = pages.data?.at(-1)?.searched_to ?? null;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 border-t px-5 py-3">
      <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {searchedTo === null ? 'Load more' : 'Go on'}
      </Button>
      <span className="figures text-sm text-muted" role="status">
        {searchedTo === null ? `${pages.rows.length} ${noun}` : `Searched back to ${formatTime(searchedTo)}.`}
      </span>
    </div>
  );
}

/** Where rows stand, but the last question about them failed: they may be old, or not all. */
export function StaleNote({
  pages,
}: {
  readonly pages: { readonly data: unknown; readonly error: unknown };
}): ReactElement | null {
  if (pages.data === undefined || pages.error === null) return null;
  return (
    <div className="px-5 pb-3">
      <ErrorNote error={pages.error} />
    </div>
  );
}
