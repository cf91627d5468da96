import type { ReactElement } from 'react';
import { useIsClosed } from '../../api/session.ts';
import { useAddress, usePages } from '../../api/use-api.ts';
import { Card, EmptyState, LoadMore, Table } from '../../components/index.ts';
import { monthColumns } from './month-columns.tsx';

/** What the account had, month by month, and what moved it; one that is chosen is what the rows below are of. */
export function Months({
  chosen,
  choose,
}: {
  readonly chosen: string;
  readonly choose: (month: string) => void;
}): ReactElement {
  const months = usePages('listMonths', { query: { limit: 12 } }, { refetchInterval: 60_000 });
  const isClosed = useIsClosed();
  const address = useAddress('listMovements');
  const columns = monthColumns({
    choose,
    csv: (month) => address({ query: { month, format: 'csv' } }),
    hasPromos: months.rows.some(({ promos }) => isMoved(promos)),
    hasAdjustments: months.rows.some(({ adjustments }) => isMoved(adjustments)),
    rows: months.rows,
  });
  return (
    <Card
      flush
      title="Monthly statements"
      description="The opening balance and the transactions of a month add up to its closing balance. Months are in UTC, like budgets."
    >
      <Table
        label="Monthly statements"
        columns={columns}
        rows={months.data === undefined ? undefined : months.rows}
        rowKey={(row) => row.month}
        error={months.error}
        retry={() => void months.refetch()}
        isSelected={(row) => row.month === chosen}
        sort={{ column: 'month', descending: true }}
        skeletonRows={3}
        empty={
          isClosed ? (
            <EmptyState icon="billing" title="No statements" />
          ) : (
            <EmptyState icon="billing" title="No statements yet">
              The first statement starts with the first charge or top-up.
            </EmptyState>
          )
        }
      />
      <LoadMore pages={months} shown={`${months.rows.length} months`} />
    </Card>
  );
}

function isMoved(usd: number | null): boolean {
  return usd !== null && usd !== 0;
}
