import { type ReactElement, useMemo } from 'react';
import { useAddress } from '../../api/use-api.ts';
import { Card, EmptyState, LinkButton, Table } from '../../components/index.ts';
import { useSort } from '../../navigation/use-sort.ts';
import { groupColumns, TOTAL } from './group-columns.tsx';
import type { Usage, UsageGroup } from './measures.ts';
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
  const order = useSort({ column: 'spend', descending: true });
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
        {...(usage !== undefined && usage.groups.length > 1 && { total: totalOf(usage) })}
        {...order}
        empty={
          <EmptyState icon="usage" title="No calls in this time">
            Choose a longer time, or take a filter away.
          </EmptyState>
        }
      />
    </Card>
  );
}

/** The server's own sums, which are exact. */
function totalOf({ totals }: Usage): UsageGroup {
  const none = { spend: [], requests: [], failed: [], prompt_tokens: [], completion_tokens: [] };
  return { id: TOTAL, name: 'Total', totals, ...none };
}
