import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import {
  Card,
  type Column,
  EmptyState,
  Link,
  PageHeader,
  StatusBadge,
  Table,
  Time,
  ZoneSwitch,
} from '../../components/index.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
import { NEWEST_FIRST } from '../../navigation/use-sort.ts';
import { StatusSegments } from './status-segments.tsx';

type Refusal = Answer<'listRefusals'>['data'][number];

const REFRESH_MS = 5_000;

/** What was refused before it became a call: over a limit or a budget, not allowed, unreadable. */
export function RefusedCalls(): ReactElement {
  const [key] = useQueryState('key');
  const refused = useApi(
    'listRefusals',
    { query: key === '' ? {} : { key: Number(key) } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <>
      <PageHeader
        title="Calls"
        description="Requests that were refused before they became calls. They cost nothing."
        actions={<ZoneSwitch />}
      />
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <StatusSegments />
      </div>
      <Card flush>
        <Table
          label="Refused requests"
          columns={columns}
          rows={refused.data?.data}
          rowKey={(row) => row.request_id}
          error={refused.error}
          retry={() => void refused.refetch()}
          sort={NEWEST_FIRST}
          empty={
            <EmptyState icon="calls" title="Nothing was refused.">
              Requests over a limit or a budget, or for a model that the key may not use, are listed here.
            </EmptyState>
          }
        />
        {refused.data !== undefined && (
          <p className="border-t px-5 py-3 text-sm text-muted">
            The last 100 since the server started, <Time at={refused.data.since} as="whole" />. A restart forgets them.
          </p>
        )}
      </Card>
    </>
  );
}

const columns: readonly Column<Refusal>[] = [
  { id: 'at', header: 'Time', place: 'first', cell: (row) => <Time at={row.at} as="whole" /> },
  {
    id: 'model',
    header: 'Model',
    isTitle: true,
    place: 'title',
    className: 'sm:w-full sm:max-w-0 sm:min-w-40',
    cell: (row) => (
      <div className="truncate" title={row.model ?? undefined}>
        {row.model ?? <span className="text-muted">not read</span>}
      </div>
    ),
  },
  { id: 'status', header: 'Status', place: 'figure', cell: (row) => <StatusBadge status={row.status} /> },
  {
    id: 'code',
    header: 'Why',
    place: 'third',
    cell: (row) => <span className="font-mono text-xs whitespace-nowrap">{row.code}</span>,
  },
  {
    id: 'key',
    header: 'Key',
    cell: (row) => (
      <Link href={`/keys/${row.key.id}`} className="block max-w-40 truncate" title={row.key.name}>
        {row.key.name}
      </Link>
    ),
  },
];
