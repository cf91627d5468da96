import { type ReactElement, useMemo, useState } from 'react';
import type { Sums } from '../../api/types.ts';
import { useAddress, usePages } from '../../api/use-api.ts';
import { Button, Card, EmptyState, ErrorNote, LinkButton, LoadMore, notify, Table } from '../../components/index.ts';
import { useSort } from '../../navigation/use-sort.ts';
import { groupColumns, TOTAL } from './group-columns.tsx';
import { type GroupRow, useGroupsFile } from './groups-file.ts';
import { callsPath, GROUP_NOUNS, intoGroup, type UsageState } from './use-usage-query.ts';

const SORTS = ['-spend', 'spend', '-requests', 'requests', '-tokens', 'tokens', '-errors', 'errors'] as const;

interface GroupTableProps {
  readonly state: UsageState;
  /** Of all groups. */
  readonly totals: Sums | undefined;
}

/** Every group as a row, page by page, with links into it and export to a file. */
export function GroupTable({ state, totals }: GroupTableProps): ReactElement {
  const { groupBy, change, query } = state;
  const address = useAddress('readUsage');
  const order = useSort({ column: 'spend', descending: true });
  const asked = `${order.sort.descending ? '-' : ''}${order.sort.column}`;
  const sort = SORTS.find((each) => each === asked) ?? '-spend';
  const groups = usePages('listUsageGroups', { query: { ...query, group_by: groupBy, sort } }, { keepPrevious: true });
  const columns = useMemo(
    () => groupColumns(state, totals, (id) => change(intoGroup(groupBy, id))),
    [state, totals, change, groupBy],
  );
  const count = groups.data?.[0]?.total_count ?? 0;
  const noun = GROUP_NOUNS[groupBy];
  return (
    <Card
      flush
      title={`By ${noun}`}
      actions={
        <>
          <LinkButton size="small" kind="ghost" icon="calls" href={callsPath(state)}>
            View requests
          </LinkButton>
          <LinkButton size="small" icon="download" download href={address({ query: { ...query, format: 'csv' } })}>
            Export CSV
          </LinkButton>
          <JsonButton state={state} />
        </>
      }
    >
      {groups.data !== undefined && groups.error !== null && (
        <div className="px-5 pb-3">
          <ErrorNote error={groups.error} />
        </div>
      )}
      <Table
        label={`Usage by ${noun}`}
        columns={columns}
        rows={groups.data === undefined ? undefined : groups.rows}
        rowKey={(group) => group.id}
        error={groups.error}
        retry={() => void groups.refetch()}
        {...(totals !== undefined && groups.rows.length > 1 && { total: totalRow(totals) })}
        {...order}
        empty={
          <EmptyState icon="usage" title="No requests in this period">
            Choose a longer time range, or remove a filter.
          </EmptyState>
        }
      />
      <LoadMore pages={groups} shown={`${groups.rows.length} of ${count} ${noun}s`} />
    </Card>
  );
}

/** All groups, as the API tells them page by page. */
function JsonButton({ state }: { readonly state: UsageState }): ReactElement {
  const [isRunning, setRunning] = useState(false);
  const save = useGroupsFile(state);
  const onClick = (): void => {
    setRunning(true);
    save()
      .catch(() => notify({ title: 'Export failed', description: 'Try again.', kind: 'bad' }))
      .finally(() => setRunning(false));
  };
  return (
    <Button size="small" icon="download" loading={isRunning} onClick={onClick}>
      Export JSON
    </Button>
  );
}

/** The server's own sums, which are exact. */
function totalRow(totals: Sums): GroupRow {
  return { id: TOTAL, name: 'Total', totals };
}
