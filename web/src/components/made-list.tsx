import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Answer, ApiError } from '../api/client.ts';
import { Checkbox } from './inputs/choices.tsx';
import { SkeletonLines } from './skeleton.tsx';
import { ErrorNote } from './states.tsx';

export interface MadeListProps {
  readonly made: UseQueryResult<Answer<'readKeyMade'>, ApiError>;
  /** Who made it: `this key`. */
  readonly by: string;
  /** Whether the keys go, too. Null offers no choice. */
  readonly goes: boolean | null;
  readonly onChange: (goes: boolean) => void;
}

/** What somebody who is about to go has made: the invitations are void then, the keys go where that is wanted. */
export function MadeList({ made, by, goes, onChange }: MadeListProps): ReactElement | null {
  if (made.error !== null) return <ErrorNote error={made.error} />;
  if (made.data === undefined) return <SkeletonLines lines={2} />;
  const { keys, keys_count: count, invitations } = made.data.data;
  const unlisted = count - keys.length;
  return (
    <div className="flex flex-col gap-3 text-text">
      {invitations.length > 0 && (
        <p className="text-muted">
          {counted(invitations.length, 'open invitation')} of {by} will be void.
        </p>
      )}
      {count > 0 && (
        <div>
          <p className="mb-1.5">Keys made by {by}:</p>
          <ul
            aria-label={`Keys made by ${by}`}
            className="max-h-40 overflow-y-auto rounded border bg-sunken px-3 py-1.5"
          >
            {keys.map(({ id, name, label, status }) => (
              <li key={id} className="flex flex-wrap items-baseline gap-x-2 py-0.5 text-sm">
                <span className="font-medium wrap-anywhere">{name}</span>
                <span className="font-mono text-muted">{label}</span>
                {status !== 'active' && <span className="text-muted">{status}</span>}
              </li>
            ))}
            {unlisted > 0 && <li className="py-0.5 text-sm text-muted">and {unlisted} more</li>}
          </ul>
        </div>
      )}
      {count > 0 && goes !== null && (
        <Checkbox
          checked={goes}
          onChange={onChange}
          label={`Also revoke ${count === 1 ? 'this key' : `these ${count} keys`}`}
          hint="Their running calls are cut. Otherwise the keys stay active."
        />
      )}
    </div>
  );
}

/** What to say of the keys that stay, once somebody has gone; nothing where none do. */
export function leftWords(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1
    ? '1 key stays active: revoke it if it should not be.'
    : `${count} keys stay active: revoke those that should not be.`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
