import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import {
  Card,
  type Column,
  CopyButton,
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
import { type Chip, FilterChips } from './filter-chips.tsx';
import { StatusSegments } from './status-segments.tsx';

type Refusal = Answer<'listRefusals'>['data'][number];

const REFRESH_MS = 5_000;

/** Requests refused before they became calls: over a limit or budget, not allowed, or invalid. */
export function RefusedCalls(): ReactElement {
  const [key] = useQueryState('key');
  const [request, setRequest] = useQueryState('request');
  const refused = useApi(
    'listRefusals',
    { query: key === '' ? {} : { key: Number(key) } },
    { refetchInterval: REFRESH_MS },
  );
  const rows = refused.data?.data.filter((row) => request === '' || row.request_id === request);
  return (
    <>
      <PageHeader
        title="Requests"
        description="Requests refused before they reached a provider. They cost nothing."
        actions={<ZoneSwitch />}
      />
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <StatusSegments />
        <FilterChips chips={request === '' ? [] : [requestChip(request, () => setRequest(''))]} />
      </div>
      <Card flush>
        <Table
          label="Refused requests"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.request_id}
          error={refused.error}
          retry={() => void refused.refetch()}
          sort={NEWEST_FIRST}
          empty={
            <EmptyState icon="calls" title={request === '' ? 'No refused requests' : 'No matching refused requests'}>
              Requests over a limit or budget, or for a model the API key may not use, appear here.
            </EmptyState>
          }
        />
        {refused.data !== undefined && (
          <p className="border-t px-5 py-3 text-sm text-muted">
            The last 100 since the server started on <Time at={refused.data.since} as="whole" />. They are cleared on
            restart.
          </p>
        )}
      </Card>
    </>
  );
}

function requestChip(request: string, remove: () => void): Chip {
  return { id: 'request', label: 'Request ID', value: request, remove };
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
        {row.model ?? <span className="text-muted">unknown</span>}
      </div>
    ),
  },
  { id: 'status', header: 'Status', place: 'figure', cell: (row) => <StatusBadge status={row.status} /> },
  {
    id: 'code',
    header: 'Reason',
    place: 'third',
    cell: (row) => <span className="font-mono text-xs whitespace-nowrap">{row.code}</span>,
  },
  {
    id: 'key',
    header: 'API key',
    cell: (row) => (
      <Link href={`/keys/${row.key.id}`} className="block max-w-40 truncate" title={row.key.name}>
        {row.key.name}
      </Link>
    ),
  },
  {
    id: 'request',
    header: 'Request ID',
    place: 'last',
    cell: ({ request_id: id }) => (
      <span className="-my-1 inline-flex max-w-full items-center gap-1">
        <span className="max-w-40 truncate font-mono text-xs max-sm:max-w-14 xl:max-w-none" title={id}>
          {id}
        </span>
        <CopyButton text={id} label="Copy request ID" size="small" />
      </span>
    ),
  },
];
