import type { ReactElement } from 'react';
import type { Alias } from '../../api/types.ts';
import { Badge, type Column, Menu, type MenuItem } from '../../components/index.ts';
import { shareText } from './alias-draft.ts';

export interface AliasDoing {
  readonly mayEdit: (alias: Alias) => boolean;
  readonly edit: (alias: Alias) => void;
  readonly remove: (alias: Alias) => void;
}

export function aliasColumns(doing: AliasDoing): readonly Column<Alias>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sortBy: ({ name }) => name.toLowerCase(),
      cell: (alias) => <span className="font-mono text-sm wrap-anywhere">{alias.name}</span>,
    },
    { id: 'targets', header: 'Leads to', cell: (alias) => <Targets row={alias} /> },
    {
      id: 'choice',
      header: 'Chosen',
      cell: ({ choice, targets }) => (targets.length < 2 ? '' : choice === 'key' ? 'by key' : 'at random'),
    },
    { id: 'scope', header: 'For', sortBy: scopeText, cell: (alias) => <Scope row={alias} /> },
    {
      id: 'actions',
      header: 'Actions',
      isAction: true,
      cell: (alias) => (doing.mayEdit(alias) ? <Actions row={alias} doing={doing} /> : null),
    },
  ];
}

/** `Project Web`, `This account`, `All accounts`. */
export function scopeText({ scope, project }: Pick<Alias, 'scope' | 'project'>): string {
  if (scope === 'project') return `Project ${project?.name ?? ''}`;
  return scope === 'account' ? 'This account' : 'All accounts';
}

function Targets({ row: { targets } }: { readonly row: Alias }): ReactElement {
  return (
    <ul className="flex flex-col gap-1">
      {targets.map((target) => (
        <li key={`${target.model} ${target.provider}`} className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="wrap-anywhere">{target.model}</span>
          {target.provider !== null && <span className="text-muted">at {target.provider}</span>}
          <span className="figures text-muted">
            {target.weight === 0 ? 'if the others fail' : targets.length > 1 && shareText(target.weight, targets)}
          </span>
          {!target.is_served && <Badge tone="warn">not served</Badge>}
        </li>
      ))}
    </ul>
  );
}

function Scope({ row }: { readonly row: Alias }): ReactElement {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="wrap-anywhere">{scopeText(row)}</span>
      {row.source === 'file' && <Badge>configuration file</Badge>}
      {row.is_shadowed && <Badge tone="warn">hidden by the configuration file</Badge>}
    </div>
  );
}

function Actions({ row, doing }: { readonly row: Alias; readonly doing: AliasDoing }): ReactElement {
  const items: MenuItem[] = [
    { label: 'Edit', icon: 'edit', onSelect: () => doing.edit(row) },
    { label: 'Delete', icon: 'trash', danger: true, onSelect: () => doing.remove(row), separated: true },
  ];
  return <Menu label={`Actions for ${row.name}`} items={items} />;
}
