import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { Card, type Column, EmptyState, Link, PageHeader, StatusBadge, Table, Time } from '../../components/index.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
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
      <PageHeader title="Calls" description="Requests that were refused before they became calls. They cost nothing." />
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
  { id: 'at', header: 'Time', cell: (row) => <Time at={row.at} as="whole" /> },
  {
    id: 'model',
    header: 'Model',
    isTitle: true,
    cell: (row) => <span className="[overflow-wrap:anywhere]">{row.model ?? 'not read'}</span>,
  },
  { id: 'status', header: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
  {
    id: 'code',
    header: 'Why',
    cell: (row) => <span className="font-mono text-xs whitespace-nowrap">{row.code}</span>,
  },
  {
    id: 'key',
    header: 'Key',
    cell: (row) => (
      <Link href={`/keys/${row.key.id}`} className="block max-w-48 truncate max-sm:ml-auto" title={row.key.name}>
        {row.key.name}
      </Link>
    ),
  },
];
