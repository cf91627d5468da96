import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Button, ErrorNote } from '../../components/index.ts';
import { formatTime } from '../../format/figures.ts';

interface SearchPages {
  readonly data: readonly { readonly searched_to: string | null }[] | undefined;
  readonly rows: readonly unknown[];
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface SearchedToProps {
  readonly pages: SearchPages;
  /** What is listed: `requests`. */
  readonly noun: string;
}

/** How long a search continues by itself before it waits for a click. */
const SEARCH_MS = 30_000;
/** A page of rows is enough to read. */
const ROWS_ENOUGH = 50;

/**
 * How far back a search has got. Rare matches are searched piece by piece, automatically for a while; when a page of rows
 * is found, a button loads the next page. Pass the query as `key`: another query is another search.
 */
export function SearchedTo({ pages, noun }: SearchedToProps): ReactElement | null {
  const searchedTo = pages.hasNextPage ? (pages.data?.at(-1)?.searched_to ?? null) : null;
  const search = useSearch(pages, searchedTo);
  if (!pages.hasNextPage) return null;
  const found = `${pages.rows.length === 0 ? 'nothing' : pages.rows.length} found so far`;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 border-t px-5 py-3">
      {search.isRunning ? (
        <Button onClick={search.stop}>Stop</Button>
      ) : (
        <Button
          loading={pages.isFetchingNextPage}
          onClick={() => (searchedTo === null ? void pages.fetchNextPage() : search.goOn())}
        >
          {searchedTo === null ? 'Load more' : 'Keep searching'}
        </Button>
      )}
      <span className="figures text-sm text-muted" role="status">
        {searchedTo === null
          ? `${pages.rows.length} ${noun}`
          : search.isRunning
            ? `Searching… back to ${formatTime(searchedTo)}, ${found}.`
            : `Searched back to ${formatTime(searchedTo)}.`}
      </span>
    </div>
  );
}

interface Search {
  readonly isRunning: boolean;
  readonly stop: () => void;
  readonly goOn: () => void;
}

/** Fetches the next piece until the search is over or its time is up. */
function useSearch(pages: SearchPages, searchedTo: string | null): Search {
  const { isFetching, error, fetchNextPage } = pages;
  const count = pages.rows.length;
  const [isStopped, setStopped] = useState(false);
  const begun = useRef<{ readonly ms: number; readonly count: number } | null>(null);
  const isRunning = searchedTo !== null && !isStopped && error === null;
  useEffect(() => {
    if (!isRunning) {
      begun.current = null;
      return;
    }
    if (isFetching) return;
    begun.current ??= { ms: performance.now(), count };
    const isEnough = count - begun.current.count >= ROWS_ENOUGH || performance.now() - begun.current.ms > SEARCH_MS;
    if (isEnough) setStopped(true);
    else void fetchNextPage();
  }, [isRunning, isFetching, count, fetchNextPage]);
  return {
    isRunning,
    stop: () => setStopped(true),
    goOn: () => {
      setStopped(false);
      if (error !== null) void fetchNextPage();
    },
  };
}

/** Rows are shown, but the last fetch failed: they may be stale or incomplete. */
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
