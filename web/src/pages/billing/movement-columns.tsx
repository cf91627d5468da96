import type { ReactElement } from 'react';
import type { Movement } from '../../api/types.ts';
import { Badge, type Column, Link, Time, type Tone } from '../../components/index.ts';

const KINDS: Readonly<Record<Movement['kind'], readonly [Tone, string]>> = {
  charge: ['neutral', 'charge'],
  topup: ['good', 'top-up'],
  promo: ['good', 'promo'],
  adjustment: ['accent', 'adjustment'],
  refund: ['good', 'refund'],
  late_charge: ['neutral', 'late charge'],
};

export const movementColumns: readonly Column<Movement>[] = [
  { id: 'at', header: 'Time', cell: (row) => <Time at={row.at} as="whole" />, className: 'sm:align-top' },
  { id: 'kind', header: 'Type', isTitle: true, cell: (row) => <Kind row={row} />, className: 'sm:align-top' },
  { id: 'what', header: 'Description', cell: (row) => <What row={row} />, className: 'sm:align-top sm:w-full' },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    amount: (row) => row.amount,
    cell: (row, amount) => <Amount row={row} amount={amount} />,
    className: 'sm:align-top',
  },
];

/** Ids are of one kind each: a charge has its call, an entry its number. */
export function movementKey(row: Movement): string {
  return row.entry === null ? `call ${row.call}` : `entry ${row.entry}`;
}

function Kind({ row }: { readonly row: Movement }): ReactElement {
  const [tone, words] = KINDS[row.kind];
  return <Badge tone={tone}>{words}</Badge>;
}

function What({ row }: { readonly row: Movement }): ReactElement {
  return (
    <div className="min-w-0">
      {row.call !== null && (
        <Link href={`/calls/${row.call}`} className="[overflow-wrap:anywhere]">
          {row.model ?? row.call}
        </Link>
      )}
      {row.key !== null && <div className="text-sm [overflow-wrap:anywhere] text-muted">{row.key.name}</div>}
      {row.reference !== null && (
        <div className={row.call === null ? 'break-all' : 'text-sm break-all text-muted'}>{row.reference}</div>
      )}
      {row.note !== null && <div className="text-sm wrap-anywhere whitespace-pre-line text-muted">{row.note}</div>}
    </div>
  );
}

/** What comes in has a plus: the sign says more than a colour. */
function Amount({ row, amount }: { readonly row: Movement; readonly amount: ReactElement }): ReactElement {
  const isIn = row.amount !== null && row.amount > 0;
  return (
    <span className={isIn ? 'font-medium text-good-text' : ''}>
      {isIn && '+'}
      {amount}
    </span>
  );
}
