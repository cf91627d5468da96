import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { AvailableMoney, Badge, type Column, LinkButton, Money } from '../../components/index.ts';
import { monthName } from '../../format/figures.ts';
import type { Usd } from '../../format/money.ts';

export type Month = Answer<'listMonths'>['data'][number];

export interface MonthColumnParts {
  readonly choose: (month: string) => void;
  /** The URL of a month's transactions as CSV. */
  readonly csv: (month: string) => string;
  /** Whether the account has any; most have none. */
  readonly hasPromos: boolean;
  readonly hasAdjustments: boolean;
  /** The rows of the table: their amounts add up, so all have the same number of decimals. */
  readonly rows: readonly Month[];
}

export function monthColumns(parts: MonthColumnParts): readonly Column<Month>[] {
  const { choose, csv, hasPromos, hasAdjustments } = parts;
  const together = parts.rows.flatMap((row) => [row.opening, ...MOVED.map((id) => row[id]), row.closing]);
  const moved = (id: (typeof MOVED)[number], header: string): Column<Month> => ({
    id,
    header,
    align: 'right',
    cell: (row) => <Moved usd={row[id]} together={together} />,
  });
  return [
    {
      id: 'month',
      header: 'Month',
      isTitle: true,
      cell: (row) => <Name row={row} choose={choose} />,
      className: 'sm:w-full',
    },
    {
      id: 'opening',
      header: 'Opening balance',
      align: 'right',
      cell: (row) => <AvailableMoney usd={row.opening} together={together} />,
    },
    moved('topups', 'Top-ups'),
    ...(hasPromos ? [moved('promos', 'Promos')] : []),
    ...(hasAdjustments ? [moved('adjustments', 'Adjustments')] : []),
    moved('charges', 'Charges'),
    moved('refunds', 'Refunds'),
    {
      id: 'closing',
      header: 'Closing balance',
      align: 'right',
      cell: (row) => (
        <strong className="font-medium">
          <AvailableMoney usd={row.closing} together={together} />
        </strong>
      ),
    },
    {
      id: 'csv',
      header: 'Export',
      isAction: true,
      cell: (row) => (
        <LinkButton href={csv(row.month)} download size="small" icon="download">
          CSV<span className="sr-only"> for {monthName(row.month)}</span>
        </LinkButton>
      ),
    },
  ];
}

const MOVED = ['topups', 'promos', 'adjustments', 'charges', 'refunds'] as const;

function Name({ row, choose }: { readonly row: Month; readonly choose: (month: string) => void }): ReactElement {
  const isRunning = Date.parse(row.to) > Date.now();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <button
        type="button"
        onClick={() => choose(row.month)}
        title={`Show transactions in ${monthName(row.month)}`}
        className="rounded-sm text-left whitespace-nowrap text-accent-text underline-offset-2 hover:underline"
      >
        {monthName(row.month)}
      </button>
      {isRunning && <span className="text-sm text-muted">so far</span>}
      {row.sealed && <Badge tone="neutral">sealed</Badge>}
    </span>
  );
}

/** Zero is a dash, so that amounts stand out. */
function Moved({ usd, together }: { readonly usd: number | null; readonly together: readonly Usd[] }): ReactElement {
  if (usd === null || usd === 0) return <span className="text-faint">–</span>;
  return <Money usd={usd} together={together} />;
}
