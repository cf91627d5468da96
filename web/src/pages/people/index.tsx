import type { ReactElement } from 'react';
import { usePages } from '../../api/use-api.ts';
import { Button, Card, Checkbox, EmptyState, LoadMore, PageHeader, Table, TextInput } from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { useSettled } from '../keys/use-settled.ts';
import { personColumns } from './person-columns.tsx';
import { usePersonActions } from './use-person-actions.tsx';

/** Everyone who can sign in to the installation, or could; for operators. */
export default function PeoplePage(): ReactElement {
  const [query, change] = useQueryStates();
  const search = useSettled(query.get('search') ?? '');
  const onlyOperators = query.get('operators') === '1';
  const people = usePages(
    'listPeople',
    { query: { limit: 50, search, operators: onlyOperators ? 'true' : 'false' } },
    { keepPrevious: true },
  );
  const actions = usePersonActions();
  return (
    <>
      <PageHeader title="People" description="Everyone with a sign-in on this installation, in any account." />
      <Card flush>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <TextInput
            type="search"
            aria-label="Search by name or email"
            placeholder="Search by name or email"
            value={query.get('search') ?? ''}
            onChange={(text) => change({ search: text })}
            className="sm:max-w-72"
          />
          <Checkbox
            checked={onlyOperators}
            onChange={(checked) => change({ operators: checked ? '1' : null })}
            label="Operators only"
          />
        </div>
        <Table
          label="People"
          columns={personColumns(actions.menu)}
          rows={people.data && people.rows}
          rowKey={(person) => person.id}
          sort={{ column: 'joined', descending: false }}
          error={people.error}
          retry={() => void people.refetch()}
          empty={
            <EmptyState
              icon="search"
              title="No matching people"
              action={<Button onClick={() => change({ search: null, operators: null })}>Clear filters</Button>}
            />
          }
        />
        <LoadMore pages={people} shown={`${people.rows.length} people`} />
      </Card>
      {actions.dialogs}
    </>
  );
}
