import { type ReactElement, useMemo, useRef, useState } from 'react';
import { useIsClosed } from '../../api/session.ts';
import { useAddress, usePages } from '../../api/use-api.ts';
import { Button, Card, Drawer, EmptyState, LinkButton, PageHeader, Table, ZoneSwitch } from '../../components/index.ts';
import { useQueryState, useQueryStates } from '../../navigation/use-query-state.ts';
import { NEWEST_FIRST } from '../../navigation/use-sort.ts';
import { callChips } from './call-chips.tsx';
import { callColumns } from './call-columns.tsx';
import { FILTER_NAMES, useCallFilters } from './call-filters.ts';
import { CallSearch } from './call-search.tsx';
import { CallTitle, CallView } from './detail/call-view.tsx';
import { useMedia } from './detail/use-media.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import { LiveBar } from './live-bar.tsx';
import { mergeCalls } from './merge-calls.ts';
import { RefusedCalls } from './refused-calls.tsx';
import { SearchedTo, StaleNote } from './searched-to.tsx';
import { StatusSegments } from './status-segments.tsx';
import { useCallsWidth } from './use-calls-width.ts';
import { useLiveCalls } from './use-live-calls.ts';
import { useOpenCall } from './use-open-call.ts';
import { linkOf, useRowKeys } from './use-row-keys.ts';
import { useTimeFilter } from './use-time-filter.ts';

const NOTHING = Object.fromEntries([...FILTER_NAMES, 'range', 'from', 'to'].map((name) => [name, null]));
/** Scrolled this far, the person is reading. */
const READING_PX = 80;

export default function CallsPage(): ReactElement {
  const [status] = useQueryState('status');
  return status === 'refused' ? <RefusedCalls /> : <CallsList />;
}

function CallsList(): ReactElement {
  const filters = useCallFilters();
  const time = useTimeFilter();
  const [, change] = useQueryStates();
  const [paused, setPaused] = useQueryState('live');
  const [isFiltering, setFiltering] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const open = useOpenCall();
  const isPhone = useMedia('(max-width: 639px)');
  const width = useCallsWidth();
  const calls = usePages(
    'listCalls',
    { query: { ...filters.query, from: time.from, to: time.to, limit: 50 } },
    { keepPrevious: true },
  );
  const csv = useAddress('listCalls')({ query: { ...filters.query, from: time.from, to: time.to, format: 'csv' } });
  const canFollow = time.to === undefined || Date.parse(time.to) > Date.now();
  const live = useLiveCalls({
    // A filter rejected by the list is rejected here as well.
    isOn: canFollow && paused !== 'off' && calls.error?.status !== 400,
    address: useAddress('followCalls')({ query: filters.query }),
    isReading: () => open.id !== null || isFiltering || isRead(list.current),
    reload: () => void calls.refetch(),
  });
  const rows = useMemo(
    () => mergeCalls(live.shown, calls.rows, calls.hasNextPage),
    [live.shown, calls.rows, calls.hasNextPage],
  );
  useRowKeys({ ids: rows.map((call) => call.id), open: open.id, openRow: open.show });
  const isShown = calls.data !== undefined || calls.error === null;
  const columns = useMemo(() => callColumns((call) => open.show(call.id), width), [open.show, width]);
  const chips = callChips(filters, time);
  const close = (): void => {
    const last = open.id;
    open.close();
    // After the drawer has returned the focus, it moves to the row that was open last.
    setTimeout(() => last !== null && linkOf(last)?.focus({ preventScroll: true }), 50);
  };
  const status = filters.filters.status;
  return (
    <>
      <PageHeader
        title="Requests"
        description="Every request made with your API keys, newest first."
        actions={
          <>
            <CallSearch />
            <LinkButton href={csv} download icon="download">
              Export CSV
            </LinkButton>
            <ZoneSwitch />
          </>
        }
      />
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <StatusSegments />
        <Button icon="filter" onClick={() => setFiltering(true)}>
          Filter
        </Button>
        <FilterChips chips={chips} clear={() => change(NOTHING)} />
      </div>
      <Card flush>
        {isShown && (
          <LiveBar
            live={live}
            toggle={canFollow ? () => setPaused(paused === 'off' ? '' : 'off') : null}
            onShow={() => {
              live.show();
              window.scrollTo(0, 0);
            }}
          />
        )}
        <StaleNote pages={calls} />
        <div ref={list}>
          <Table
            label="Requests"
            columns={columns}
            rows={calls.data === undefined ? undefined : rows}
            rowKey={(call) => call.id}
            error={calls.error}
            retry={() => void calls.refetch()}
            onRowClick={(call) => open.show(call.id)}
            isSelected={(call) => call.id === open.id}
            sort={NEWEST_FIRST}
            skeletonRows={8}
            empty={<NoCalls isFiltered={chips.length > 0 || status !== undefined} hasMore={calls.hasNextPage} />}
          />
        </div>
        <SearchedTo key={csv} pages={calls} noun="requests" />
      </Card>
      {isFiltering && (
        <FilterDialog filters={filters.filters} change={change} time={time} onClose={() => setFiltering(false)} />
      )}
      <Drawer
        open={open.id !== null}
        onClose={close}
        modal={isPhone}
        title={<CallTitle id={open.id} />}
        actions={
          open.id !== null && (
            <LinkButton href={`/calls/${open.id}`} kind="ghost" size="small">
              Open page
            </LinkButton>
          )
        }
      >
        {open.id !== null && <CallView key={open.id} id={open.id} isNarrow />}
      </Drawer>
    </>
  );
}

function NoCalls({ isFiltered, hasMore }: { readonly isFiltered: boolean; readonly hasMore: boolean }): ReactElement {
  const isClosed = useIsClosed();
  if (hasMore) return <EmptyState icon="search" title="No requests found so far" />;
  if (isFiltered) return <EmptyState icon="search" title="No matching requests" />;
  if (isClosed) return <EmptyState icon="calls" title="No requests" />;
  return (
    <EmptyState icon="calls" title="No requests yet" action={<LinkButton href="/connect">Connect a tool</LinkButton>}>
      Requests made with your API keys appear here when they finish.
    </EmptyState>
  );
}

/** Whether the person is reading the rows: scrolled down, with the pointer or focus on a row, or selecting text. */
function isRead(list: HTMLElement | null): boolean {
  if (window.scrollY > READING_PX) return true;
  if (list === null) return false;
  const rows = list.querySelector('tbody');
  if (rows === null) return false;
  return (
    rows.matches(':hover') || rows.contains(document.activeElement) || window.getSelection()?.isCollapsed === false
  );
}
