import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { Card, type Column, EmptyState, PageHeader, StatusBadge, Table, Time } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { exactUsd, formatUsd } from '../../format/money.ts';
import { basePath } from '../../navigation/base-path.ts';
import { NODE_WORDS } from './node-words.ts';

type Node = Answer<'listNodes'>['data'][number];

const AGAIN_MS = 2_000;

/** The nodes that serve this installation, for operators. */
export default function NodesPage(): ReactElement {
  const read = useApi('listNodes', {}, { refetchInterval: AGAIN_MS });
  return (
    <>
      <PageHeader
        title="Nodes"
        description={
          <>
            Which nodes serve this installation, whether they have caught up, and what is lent to them.{' '}
            <a href={`${basePath}/docs/guide/nodes`} className="underline underline-offset-2">
              What nodes share
            </a>
          </>
        }
      />
      <Card flush>
        <Table
          label="Nodes"
          columns={columns}
          rows={read.data?.data}
          rowKey={({ slot }) => slot}
          sort={{ column: 'slot', descending: false }}
          error={read.error}
          retry={() => void read.refetch()}
          empty={
            <EmptyState icon="nodes" title="One process, with its data in its folder">
              <p>
                With a PostgreSQL database several nodes can serve.{' '}
                <a href={`${basePath}/docs/how-to/many-nodes`} className="underline underline-offset-2">
                  Many nodes
                </a>{' '}
                shows how.
              </p>
            </EmptyState>
          }
        />
      </Card>
      {read.data?.shared === true && <Legend />}
    </>
  );
}

function Legend(): ReactElement {
  return (
    <Card title="What the words mean" className="mt-4">
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-y-2.5">
        {NODE_WORDS.map(([word, meaning]) => (
          <div key={word} className="contents">
            <dt className="font-medium first-letter:uppercase">{word}</dt>
            <dd className="text-muted max-sm:mb-2">{meaning}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

const columns: readonly Column<Node>[] = [
  {
    id: 'slot',
    header: 'Node',
    cell: ({ name, name_is_shared: isShared, slot, answers }) => (
      <div className="min-w-0">
        <span className="font-medium wrap-anywhere">{name}</span>
        {answers && <span className="text-muted"> (answers this page)</span>}
        <span className="block text-sm text-muted">slot {slot}</span>
        {isShared && (
          <span className="block text-sm text-warn-text">
            Another node has this name: set <code>TURNPIKE_NODES_NAME</code>
          </span>
        )}
      </div>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { id: 'version', header: 'Version', cell: ({ version }) => version },
  { id: 'seen', header: 'Last seen', cell: ({ seen_at: at }) => <Time at={at} /> },
  {
    id: 'behind',
    header: 'Changes behind',
    align: 'right',
    cell: ({ changes_behind: behind }) => formatCount(behind),
  },
  { id: 'unsent', header: 'Unsent since', wideOnly: true, cell: ({ unsent_since: at }) => <Time at={at} none="–" /> },
  {
    id: 'lent',
    header: 'Lent',
    align: 'right',
    cell: ({ lent }) => <span title={exactUsd(lent as number)}>{formatUsd(lent as number)}</span>,
  },
];
