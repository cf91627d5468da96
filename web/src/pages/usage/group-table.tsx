import { type ReactElement, useMemo } from 'react';
import { useAddress } from '../../api/use-api.ts';
import { Card, EmptyState, LinkButton, type Sort, Table } from '../../components/index.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
import { groupColumns } from './group-columns.tsx';
import type { Usage } from './measures.ts';
import { callsPath, GROUP_LABELS, intoGroup, type UsageState } from './use-usage-query.ts';

/** The groups as rows, which lead into them; with the same as a file. */
export function GroupTable({
  state,
  usage,
}: {
  readonly state: UsageState;
  readonly usage: Usage | undefined;
}): ReactElement {
  const { groupBy, change, query } = state;
  const address = useAddress('readUsage');
  const [sortText, setSort] = useQueryState('sort');
  const sort = readSort(sortText);
  const columns = useMemo(
    () => groupColumns(state, usage, (id) => change(intoGroup(groupBy, id))),
    [state, usage, change, groupBy],
  );
  return (
    <Card
      flush
      title={`By ${GROUP_LABELS[groupBy].toLowerCase()}`}
      actions={
        <>
          <LinkButton size="small" kind="ghost" icon="calls" href={callsPath(state)}>
            Calls
          </LinkButton>
          <LinkButton size="small" icon="download" download href={address({ query: { ...query, format: 'csv' } })}>
            CSV
          </LinkButton>
          <LinkButton size="small" icon="download" download href={address({ query: { ...query, format: 'json' } })}>
            JSON
          </LinkButton>
        </>
      }
    >
      <Table
        label={`Usage by ${GROUP_LABELS[groupBy].toLowerCase()}`}
        columns={columns}
        rows={usage?.groups}
        rowKey={(group) => group.id}
        sort={sort}
        onSort={({ column, descending }) => setSort(`${descending ? '-' : ''}${column}`)}
        empty={
          <EmptyState icon="usage" title="No calls in this time">
            Choose a longer time, or take a filter away.
          </EmptyState>
        }
      />
    </Card>
  );
}

/** `-spend` is by spend, the most first. */
function readSort(text: string): Sort | null {
  if (text === '') return null;
  const descending = text.startsWith('-');
  return { column: descending ? text.slice(1) : text, descending };
}
