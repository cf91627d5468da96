import type { ReactElement } from 'react';
import type { Sums } from '../../api/types.ts';
import { type Column, Swatch, Tokens } from '../../components/index.ts';
import { formatCount, formatShare } from '../../format/figures.ts';
import type { GroupRow } from './groups-file.ts';
import { errorRate, measureOf, tokensOf } from './measures.ts';
import { GROUP_LABELS, type GroupName, METRIC_LABELS, type UsageState } from './use-usage-query.ts';

/** The id of the row that sums all groups up. */
export const TOTAL = 'total';

/** `enter` narrows the page to a group; `totals` are those of all groups. */
export function groupColumns(
  { groupBy, metric }: UsageState,
  totals: Sums | undefined,
  enter: (id: string) => void,
): readonly Column<GroupRow>[] {
  const whole = totals === undefined ? 0 : measureOf(metric, totals);
  const share = (group: GroupRow): number => (whole === 0 ? 0 : measureOf(metric, group.totals) / whole);
  return [
    {
      id: 'name',
      header: GROUP_LABELS[groupBy],
      cell: (group) => <Name group={group} groupBy={groupBy} enter={enter} />,
      className: 'sm:w-full',
    },
    {
      id: 'share',
      header: `Share of ${METRIC_LABELS[metric].toLowerCase()}`,
      align: 'right',
      cell: (group) => <Share share={share(group)} />,
    },
    {
      id: 'spend',
      header: 'Spend',
      align: 'right',
      sortBy: (group) => group.totals.spend,
      amount: (group) => group.totals.spend,
    },
    // Only operators see it.
    ...(totals === undefined || totals.margin === null
      ? []
      : [{ id: 'margin', header: 'Margin', align: 'right', amount: marginOf } as const]),
    {
      id: 'requests',
      header: 'Requests',
      align: 'right',
      sortBy: (group) => group.totals.requests,
      cell: (group) => <span className="figures">{formatCount(group.totals.requests)}</span>,
    },
    {
      id: 'tokens',
      header: 'Tokens',
      align: 'right',
      sortBy: (group) => tokensOf(group.totals),
      cell: (group) => <Tokens count={tokensOf(group.totals)} />,
    },
    {
      id: 'errors',
      header: 'Errors',
      align: 'right',
      sortBy: (group) => group.totals.failed,
      cell: (group) => <Errors group={group} />,
    },
  ];
}

function marginOf({ totals }: GroupRow): number | null {
  return totals.margin;
}

interface NameProps {
  readonly group: GroupRow;
  readonly groupBy: GroupName;
  readonly enter: (id: string) => void;
}

/** With its colour in the chart. */
function Name({ group, groupBy, enter }: NameProps): ReactElement {
  if (group.id === TOTAL) return <>{group.name}</>;
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5">
      <Swatch kind={groupBy} id={group.id} />
      <button
        type="button"
        onClick={() => enter(group.id)}
        title={`Show only ${group.name}`}
        className="rounded-sm text-left [overflow-wrap:anywhere] text-accent-text underline-offset-2 hover:underline"
      >
        {group.name}
      </button>
    </span>
  );
}

function Share({ share }: { readonly share: number }): ReactElement {
  return (
    <span className="figures inline-flex items-center justify-end gap-2">
      <span aria-hidden="true" className="inline-block h-1.5 w-16 overflow-hidden rounded-full bg-sunken max-sm:hidden">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span className="min-w-14 whitespace-nowrap">{formatShare(share)}</span>
    </span>
  );
}

function Errors({ group }: { readonly group: GroupRow }): ReactElement {
  const rate = errorRate(group.totals);
  return (
    <span className="figures whitespace-nowrap">
      {formatCount(group.totals.failed)}
      {rate !== null && rate > 0 && <span className="text-muted"> · {formatShare(rate)}</span>}
    </span>
  );
}
