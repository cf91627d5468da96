import type { ReactElement } from 'react';
import type { Project } from '../../api/types.ts';
import { type Column, Link, Menu, type MenuItem, Money, Progress, StatusBadge } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { describeLimits, describePermissions, WINDOW_WORDS } from '../../forms/describe.ts';

export interface ProjectDoing {
  readonly mayManage: boolean;
  readonly mayCreateKeys: boolean;
  readonly edit: (project: Project) => void;
  /** Or restores it. */
  readonly archive: (project: Project) => void;
}

export function projectColumns(doing: ProjectDoing): readonly Column<Project>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sortBy: ({ name }) => name.toLowerCase(),
      cell: (project) => <ProjectName row={project} />,
    },
    {
      id: 'keys',
      header: 'Keys',
      align: 'right',
      sortBy: ({ keys }) => keys,
      cell: (project) => (
        <Link href={`/keys?project=${project.id}`} className="figures">
          {formatCount(project.keys)}
          <span className="sr-only"> keys of {project.name}</span>
        </Link>
      ),
    },
    { id: 'limits', header: 'Limits', cell: (project) => <Limits row={project} /> },
    {
      id: 'spend',
      header: 'Spend',
      align: 'right',
      sortBy: ({ usage_monthly }) => usage_monthly,
      cell: (project) => <ProjectSpend row={project} />,
    },
    { id: 'actions', header: 'Actions', isAction: true, cell: (project) => <Actions row={project} doing={doing} /> },
  ];
}

function ProjectName({ row }: { readonly row: Project }): ReactElement {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <span className="font-medium wrap-anywhere">{row.name}</span>
      {row.archived_at !== null && <StatusBadge status="archived" />}
    </div>
  );
}

function Limits({ row }: { readonly row: Project }): ReactElement {
  const words = [...describeLimits(row.limits), ...describePermissions(row.permissions)];
  if (words.length === 0) return <span className="text-muted">none</span>;
  return (
    <span className="figures text-sm">
      {words.map((each) => (
        <span key={each} className="block wrap-anywhere">
          {each}
        </span>
      ))}
    </span>
  );
}

/** Against the fullest budget, or this month's spend without one. */
function ProjectSpend({ row }: { readonly row: Project }): ReactElement {
  const budget = fullestBudget(row);
  if (budget === null) {
    return (
      <span className="whitespace-nowrap">
        <Money usd={row.usage_monthly} /> <span className="text-sm text-muted">this month</span>
      </span>
    );
  }
  return (
    <div className="ml-auto w-56 text-left">
      <div className="figures mb-1 text-sm">
        <Money usd={budget.spent} />{' '}
        <span className="text-muted">
          of <Money usd={budget.limit} /> {WINDOW_WORDS[budget.window]}
        </span>
      </div>
      <Progress bare value={budget.spent} limit={budget.limit} label={`Spend of ${row.name}`} />
    </div>
  );
}

interface ShownBudget {
  readonly window: 'day' | 'month' | 'week' | 'total';
  readonly limit: number;
  readonly spent: number;
}

/** For the bar only: the server decides whether a request is rejected. */
function fullestBudget(row: Project): ShownBudget | null {
  const spent = { day: row.usage_daily, week: row.usage_weekly, month: row.usage_monthly, total: row.usage };
  let fullest: ShownBudget | null = null;
  for (const window of ['day', 'week', 'month', 'total'] as const) {
    const limit = row.limits.budgets[window];
    if (limit === undefined) continue;
    const budget = { window, limit, spent: spent[window] };
    if (fullest === null || shareOf(budget) > shareOf(fullest)) fullest = budget;
  }
  return fullest;
}

function shareOf({ spent, limit }: ShownBudget): number {
  return limit === 0 ? 1 : spent / limit;
}

function Actions({ row, doing }: { readonly row: Project; readonly doing: ProjectDoing }): ReactElement | null {
  const isArchived = row.archived_at !== null;
  const items: MenuItem[] = [];
  if (doing.mayCreateKeys && !isArchived) {
    items.push({ label: 'Create key', icon: 'plus', href: `/keys?new=1&project=${row.id}` });
  }
  items.push({ label: 'View usage', icon: 'usage', href: `/usage?project=${row.id}` });
  if (doing.mayManage) {
    items.push({ label: 'Edit', icon: 'edit', onSelect: () => doing.edit(row) });
    items.push(
      isArchived
        ? { label: 'Restore', icon: 'refresh', onSelect: () => doing.archive(row), separated: true }
        : { label: 'Archive', icon: 'lock', danger: true, onSelect: () => doing.archive(row), separated: true },
    );
  }
  return <Menu label={`Actions for ${row.name}`} items={items} />;
}
