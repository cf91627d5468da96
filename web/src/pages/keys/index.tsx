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

/** As the API lists them. */
const NEWEST = { column: 'created', descending: true } as const;

/** In the address: `search`, `project`, `revoked`, `sort`, and of the dialog `new` and `copy`. */
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
  // A part of the list in another order would look like the whole of it.
  const isWhole = !keys.hasNextPage;
  const order = useSort(NEWEST);
  return (
    <>
      <PageHeader
        title="Keys"
        description="A key lets a program call models, within the limits you give it."
        actions={
          <>
            <LinkButton href={csv} download icon="download">
              CSV
            </LinkButton>
            {mayCreate && (
              <Button kind="primary" icon="plus" onClick={() => change({ new: '1' })}>
                Create a key
              </Button>
            )}
          </>
        }
      />
      <Card flush>
        <Filters />
        <Table
          label="Keys"
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
                title="No key fits"
                action={<Button onClick={() => change({ search: null, project: null })}>Clear the filters</Button>}
              >
                Revoked keys are left out unless you ask for them.
              </EmptyState>
            ) : (
              <EmptyState icon="keys" title={isClosed ? 'No keys' : 'No keys yet'}>
                {isClosed
                  ? 'In a closed account no key works. “Show revoked” lists those that it had.'
                  : mayCreate
                    ? 'Make one for each program, so that you can limit and revoke them one by one.'
                    : 'Developers of this account can make some.'}
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
