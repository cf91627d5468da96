import type { ReactElement, ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Button, Icon } from '../../components/index.ts';

export interface Chip {
  readonly id: string;
  /** `Model`. */
  readonly label: string;
  readonly value: ReactNode;
  readonly remove: () => void;
}

/** The active filters of a list, each with a button to remove it. Renders nothing without any. */
export function FilterChips({
  chips,
  clear,
}: {
  readonly chips: readonly Chip[];
  /** Needed only where there may be several. */
  readonly clear?: () => void;
}): ReactElement | null {
  if (chips.length === 0) return null;
  return (
    <ul className="flex flex-wrap items-center gap-2" aria-label="Filters">
      {chips.map((chip) => (
        <li
          key={chip.id}
          className="inline-flex h-7 max-w-full min-w-0 items-center gap-1.5 rounded border bg-surface pl-2.5 text-sm"
        >
          <span className="text-muted">{chip.label}</span>
          <span className="min-w-0 truncate font-medium">{chip.value}</span>
          <button
            type="button"
            aria-label={`Remove filter: ${chip.label}`}
            onClick={chip.remove}
            className="flex h-full w-7 shrink-0 items-center justify-center rounded text-muted hover:bg-sunken hover:text-text"
          >
            <Icon name="close" className="size-3" />
          </button>
        </li>
      ))}
      {chips.length > 1 && clear !== undefined && (
        <li>
          <Button kind="ghost" size="small" onClick={clear}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}

const NAMES_STALE_MS = 300_000;

/** Of a key by its id; the id itself until the name is known, and where it cannot be read. */
export function KeyName({ id }: { readonly id: string }): ReactElement {
  const key = useApi('readKey', { params: { key: id } }, { staleTime: NAMES_STALE_MS });
  return <>{key.data?.data.name ?? `#${id}`}</>;
}

export function ProjectName({ id }: { readonly id: string }): ReactElement {
  const project = useApi('readProject', { params: { project: id } }, { staleTime: NAMES_STALE_MS });
  return <>{project.data?.data.name ?? `#${id}`}</>;
}
