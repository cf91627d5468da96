import type { ReactElement } from 'react';
import type { AccountBatch } from '../../api/types.ts';
import { type Column, Link, Menu, Progress, StatusBadge, Time } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { waitingWords } from './batch-words.ts';

export interface BatchDoing {
  readonly open: (batch: AccountBatch) => void;
  readonly cancel: (batch: AccountBatch) => void;
  /** Shows only the batches of this key. */
  readonly showKey: (id: number) => void;
}

export function batchColumns(doing: BatchDoing): readonly Column<AccountBatch>[] {
  return [
    { id: 'id', header: 'Batch', isTitle: true, cell: (batch) => <Id batch={batch} /> },
    { id: 'state', header: 'State', cell: (batch) => <BatchState batch={batch} /> },
    { id: 'lines', header: 'Lines', cell: (batch) => <Lines batch={batch} /> },
    { id: 'key', header: 'API key', cell: ({ key }) => <span className="wrap-anywhere">{key.name}</span> },
    { id: 'charge', header: 'Charge', align: 'right', amount: ({ charge }) => charge },
    { id: 'at', header: 'Created', align: 'right', cell: ({ created_at: at }) => <Time at={at} /> },
    { id: 'expires', header: 'Expires', align: 'right', wideOnly: true, cell: (batch) => <Expiry batch={batch} /> },
    {
      id: 'actions',
      header: 'Actions',
      isAction: true,
      cell: (batch) => <Actions batch={batch} doing={doing} />,
    },
  ];
}

function Id({ batch: { id, endpoint } }: { readonly batch: AccountBatch }): ReactElement {
  const query = new URLSearchParams(window.location.search);
  query.set('batch', id);
  return (
    <div className="min-w-0">
      <Link href={`/account-batches?${query}`} plain className="font-mono text-sm hover:underline" title={id}>
        …{id.slice(-8)}
      </Link>
      <span className="block font-mono text-xs wrap-anywhere text-muted">{endpoint}</span>
    </div>
  );
}

export function BatchState({ batch }: { readonly batch: AccountBatch }): ReactElement {
  const waiting = waitingWords(batch);
  return (
    <div className="flex flex-col items-start gap-1 max-sm:items-end">
      <StatusBadge status={`batch_${batch.status}`} />
      {waiting !== null && <span className="text-sm text-warn-text">{waiting}</span>}
    </div>
  );
}

/** How many lines have their result; those that failed are named, not only coloured. */
export function Lines({ batch: { total, completed, failed } }: { readonly batch: AccountBatch }): ReactElement {
  if (total === 0) return <span className="text-muted">–</span>;
  return (
    <div className="min-w-28">
      <Progress value={completed + failed} limit={total} label="Lines with a result" format={formatCount} calm />
      {failed > 0 && <span className="figures text-sm text-bad-text">{formatCount(failed)} failed</span>}
    </div>
  );
}

function Expiry({ batch: { expires_at: at, ended_at: ended } }: { readonly batch: AccountBatch }): ReactElement {
  return ended === null ? <Time at={at} /> : <span className="text-muted">–</span>;
}

function Actions({ batch, doing }: { readonly batch: AccountBatch; readonly doing: BatchDoing }): ReactElement {
  return (
    <Menu
      label={`Actions for batch ${batch.id.slice(-8)}`}
      items={[
        { label: 'Show details', icon: 'info', onSelect: () => doing.open(batch) },
        { label: 'Show only this key', icon: 'filter', onSelect: () => doing.showKey(batch.key.id) },
        ...(batch.can_cancel
          ? [
              {
                label: 'Cancel batch',
                icon: 'close' as const,
                danger: true,
                separated: true,
                onSelect: () => doing.cancel(batch),
              },
            ]
          : []),
      ]}
    />
  );
}
