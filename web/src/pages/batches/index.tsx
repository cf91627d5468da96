import { type ReactElement, useState } from 'react';
import type { AccountBatch } from '../../api/types.ts';
import { useApi, usePages } from '../../api/use-api.ts';
import { Card, EmptyState, LoadMore, PageHeader, Select, Table } from '../../components/index.ts';
import { basePath } from '../../navigation/base-path.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { NEWEST_FIRST } from '../../navigation/use-sort.ts';
import { FilterChips, KeyName } from '../calls/filter-chips.tsx';
import { Segments } from '../calls/segments.tsx';
import { batchColumns } from './batch-columns.tsx';
import { BatchDrawer } from './batch-drawer.tsx';
import { CancelBatchDialog } from './cancel-batch-dialog.tsx';

const AGAIN_MS = 5_000;
const STATES = ['open', 'ended'] as const;

/** In the URL: `state`, `project`, `key`, and for the drawer `batch`. */
export default function BatchesPage(): ReactElement {
  const [query, change] = useQueryStates();
  const state = STATES.find((each) => each === query.get('state'));
  const [project, key] = [query.get('project') ?? '', query.get('key') ?? ''];
  const asked = {
    ...(state === undefined ? {} : { status: state }),
    ...(project === '' ? {} : { project }),
    ...(key === '' ? {} : { key }),
  };
  const batches = usePages(
    'listAccountBatches',
    { query: { ...asked, limit: 50 } },
    { keepPrevious: true, refetchInterval: AGAIN_MS },
  );
  const [cancelling, setCancelling] = useState<AccountBatch | null>(null);
  const isFiltered = state !== undefined || project !== '' || key !== '';
  const open = (batch: AccountBatch) => change({ batch: batch.id });
  return (
    <>
      <PageHeader
        title="Batches"
        description={
          <>
            Files of requests that the gateway works through, and how far they are.{' '}
            <a href={`${basePath}/docs/guide/batches`} className="underline underline-offset-2">
              How to make one
            </a>
          </>
        }
      />
      <Card flush>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <Segments
            label="State"
            value={state ?? ''}
            onChange={(next) => change({ state: next === '' ? null : next })}
            options={[
              { value: '', label: 'All' },
              { value: 'open', label: 'Open' },
              { value: 'ended', label: 'Ended' },
            ]}
          />
          <ProjectSelect value={project} onChange={(id) => change({ project: id })} />
          <FilterChips
            chips={
              key === ''
                ? []
                : [{ id: 'key', label: 'API key', value: <KeyName id={key} />, remove: () => change({ key: null }) }]
            }
          />
        </div>
        <Table
          label="Batches"
          columns={batchColumns({ open, cancel: setCancelling, showKey: (id) => change({ key: String(id) }) })}
          rows={batches.data && batches.rows}
          rowKey={({ id }) => id}
          error={batches.error}
          retry={() => void batches.refetch()}
          sort={NEWEST_FIRST}
          onRowClick={open}
          isSelected={({ id }) => id === query.get('batch')}
          empty={
            isFiltered ? (
              <EmptyState icon="search" title="No matching batches" />
            ) : (
              <EmptyState icon="batches" title="No batches yet">
                A program uploads a file of requests, makes a batch of it, and fetches the answers later.
              </EmptyState>
            )
          }
        />
        <LoadMore pages={batches} shown={batches.rows.length === 1 ? '1 batch' : `${batches.rows.length} batches`} />
      </Card>
      <BatchDrawer id={query.get('batch')} onClose={() => change({ batch: null })} cancel={setCancelling} />
      {cancelling !== null && <CancelBatchDialog batch={cancelling} onClose={() => setCancelling(null)} />}
    </>
  );
}

function ProjectSelect({ value, onChange }: { readonly value: string; readonly onChange: (id: string) => void }) {
  const projects = useApi('listProjects', {});
  const options = (projects.data?.data ?? []).map((each) => ({ value: String(each.id), label: each.name }));
  return (
    <Select
      aria-label="Project"
      className="w-full sm:w-52"
      value={value}
      onChange={onChange}
      options={[{ value: '', label: 'All projects' }, ...options]}
    />
  );
}
