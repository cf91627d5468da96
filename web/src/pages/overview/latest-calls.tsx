import type { ReactElement } from 'react';
import { useIsClosed } from '../../api/session.ts';
import type { Call } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import {
  Card,
  type Column,
  Duration,
  EmptyState,
  Link,
  LinkButton,
  LongName,
  StatusBadge,
  Table,
  Time,
  Tokens,
} from '../../components/index.ts';
import { useGo } from '../../navigation/use-go.ts';
import { NEWEST_FIRST } from '../../navigation/use-sort.ts';

export interface LatestCallsProps {
  /** Of one key, or else of the account. */
  readonly keyId?: number;
  readonly title: string;
}

const COLUMNS: readonly Column<Call>[] = [
  {
    id: 'model',
    header: 'Model',
    place: 'title',
    className: 'sm:w-full sm:max-w-0 sm:min-w-40',
    cell: (call) => (
      <Link href={`/calls/${call.id}`} className="block">
        <LongName name={call.model} />
      </Link>
    ),
  },
  {
    id: 'key',
    header: 'API key',
    cell: (call) => (
      <span className="block max-w-40 truncate" title={call.key.name}>
        {call.key.name}
      </span>
    ),
  },
  { id: 'at', header: 'Time', place: 'first', cell: (call) => <Time at={call.at} /> },
  {
    id: 'tokens',
    header: 'Tokens',
    align: 'right',
    place: 'third',
    cell: (call) => <Tokens count={call.prompt_tokens + call.completion_tokens} />,
  },
  {
    id: 'duration',
    header: 'Latency',
    align: 'right',
    place: 'last',
    cell: (call) => <Duration ms={call.duration_ms} />,
  },
  { id: 'charge', header: 'Charge', align: 'right', place: 'figure', amount: (call) => call.charge },
  {
    id: 'status',
    header: 'Status',
    align: 'right',
    place: 'second',
    cell: (call) => <StatusBadge status={call.status} />,
  },
];

/** A few requests, newest first, with a link to all. */
export function LatestCalls({ keyId, title }: LatestCallsProps): ReactElement {
  const go = useGo();
  const isClosed = useIsClosed();
  const calls = useApi(
    'listCalls',
    { query: { limit: 8, ...(keyId === undefined ? {} : { key: keyId }) } },
    { refetchInterval: 15_000 },
  );
  return (
    <Card
      flush
      title={title}
      actions={
        <LinkButton size="small" kind="ghost" href={keyId === undefined ? '/calls' : `/calls?key=${keyId}`}>
          View all
        </LinkButton>
      }
    >
      <Table
        label={title}
        columns={keyId === undefined ? COLUMNS : COLUMNS.filter(({ id }) => id !== 'key')}
        rows={calls.data?.data}
        rowKey={(call) => call.id}
        sort={NEWEST_FIRST}
        error={calls.error}
        retry={() => void calls.refetch()}
        onRowClick={(call) => go(`/calls/${call.id}`)}
        empty={
          isClosed ? (
            <EmptyState icon="calls" title="No requests" />
          ) : (
            <EmptyState icon="calls" title="No requests yet">
              Requests appear here when they finish.
            </EmptyState>
          )
        }
      />
    </Card>
  );
}
