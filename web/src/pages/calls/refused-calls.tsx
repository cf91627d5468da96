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

/** Requests refused before they became calls: over a limit or budget, not allowed, or invalid. */
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
        title="Requests"
        description="Requests refused before they reached a provider. They cost nothing."
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
            <EmptyState icon="calls" title="No refused requests">
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
];
