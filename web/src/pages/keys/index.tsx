import type { ReactElement } from 'react';
import { useIsClosed, useMay } from '../../api/session.ts';
import { useAddress, useApi, usePages } from '../../api/use-api.ts';
import {
  Button,
  Card,
  Checkbox,
  EmptyState,
  LinkButton,
  LoadMore,
  PageHeader,
  Select,
  Table,
  TextInput,
} from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { useSort } from '../../navigation/use-sort.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { useKeyActions } from './key-actions.tsx';
import { keyColumns } from './key-columns.tsx';
import { useSettled } from './use-settled.ts';

/** In the API's order. */
const NEWEST = { column: 'created', descending: true } as const;

/** In the URL: `search`, `project`, `revoked`, `sort`, and for the dialog `new` and `copy`. */
export default function KeysPage(): ReactElement {
  const [query, change] = useQueryStates();
  const search = query.get('search') ?? '';
  const project = query.get('project') ?? '';
  const hasRevoked = query.get('revoked') === '1';
  const settled = useSettled(search);
  const asked = { search: settled, project, include_revoked: hasRevoked ? 'true' : 'false' } as const;
  const keys = usePages('listKeys', { query: { ...asked, limit: 50 } }, { keepPrevious: true });
  const csv = useAddress('listKeys')({ query: { ...asked, format: 'csv' } });
  const mayCreate = useMay('developer');
  const isClosed = useIsClosed();
  const actions = useKeyActions(mayCreate);
  const isFiltered = search !== '' || project !== '';
  const total = keys.data?.[0]?.total_count;
  // Sorting a partial list would make it look complete.
  const isWhole = !keys.hasNextPage;
  const order = useSort(NEWEST);
  return (
    <>
      <PageHeader
        title="API keys"
        description="Programs use API keys to call models, within the limits you set."
        actions={
          <>
            <LinkButton href={csv} download icon="download">
              Export CSV
            </LinkButton>
            {mayCreate && (
              <Button kind="primary" icon="plus" onClick={() => change({ new: '1' })}>
                Create key
              </Button>
            )}
          </>
        }
      />
      <Card flush>
        <Filters />
        <Table
          label="API keys"
          columns={keyColumns(mayCreate ? actions.rowMenu : null)}
          rows={keys.data && keys.rows}
          rowKey={(key) => key.id}
          error={keys.error}
          retry={() => void keys.refetch()}
          sort={isWhole ? order.sort : NEWEST}
          onSort={isWhole ? order.onSort : undefined}
          empty={
            isFiltered ? (
              <EmptyState
                icon="search"
                title="No matching keys"
                action={<Button onClick={() => change({ search: null, project: null })}>Clear filters</Button>}
              >
                Turn on “Show revoked” to include revoked keys.
              </EmptyState>
            ) : (
              <EmptyState icon="keys" title={isClosed ? 'No API keys' : 'No API keys yet'}>
                {isClosed
                  ? 'API keys of a closed account do not work. Turn on “Show revoked” to see the ones it had.'
                  : mayCreate
                    ? 'Create one for each program, so that you can limit and revoke them separately.'
                    : 'You need the developer role to create keys.'}
              </EmptyState>
            )
          }
        />
        <LoadMore
          pages={keys}
          shown={total === undefined ? `${keys.rows.length} keys` : `${keys.rows.length} of ${total} keys`}
        />
      </Card>
      {actions.dialogs}
      {mayCreate && query.get('new') === '1' && (
        <CreateKeyDialog
          copyOf={query.get('copy')}
          project={project}
          onClose={() => change({ new: null, copy: null })}
        />
      )}
    </>
  );
}

function Filters(): ReactElement {
  const [query, change] = useQueryStates();
  const projects = useApi('listProjects', {});
  const options = (projects.data?.data ?? []).map((each) => ({ value: String(each.id), label: each.name }));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <TextInput
        type="search"
        aria-label="Search by name or key"
        placeholder="Search by name or key"
        value={query.get('search') ?? ''}
        onChange={(text) => change({ search: text })}
        className="sm:max-w-72"
      />
      <Select
        aria-label="Project"
        className="w-full sm:w-52"
        value={query.get('project') ?? ''}
        onChange={(id) => change({ project: id })}
        options={[{ value: '', label: 'All projects' }, ...options]}
      />
      <Checkbox
        checked={query.get('revoked') === '1'}
        onChange={(checked) => change({ revoked: checked ? '1' : null })}
        label="Show revoked"
      />
    </div>
  );
}
