import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Answer, ApiError } from '../api/client.ts';
import { Checkbox } from './inputs/choices.tsx';
import { SkeletonLines } from './skeleton.tsx';
import { ErrorNote } from './states.tsx';

export interface MadeListProps {
  readonly made: UseQueryResult<Answer<'readKeyMade'>, ApiError>;
  /** Who created it: `this key`. */
  readonly by: string;
  /** Whether the keys are revoked as well. Null offers no choice. */
  readonly goes: boolean | null;
  readonly onChange: (goes: boolean) => void;
}

/** What a person or key about to be removed has created: invitations are cancelled, keys are revoked if wanted. */
export function MadeList({ made, by, goes, onChange }: MadeListProps): ReactElement | null {
  if (made.error !== null) return <ErrorNote error={made.error} />;
  if (made.data === undefined) return <SkeletonLines lines={2} />;
  const { keys, keys_count: count, invitations } = made.data.data;
  const unlisted = count - keys.length;
  return (
    <div className="flex flex-col gap-3 text-text">
      {invitations.length > 0 && (
        <p className="text-muted">
          {counted(invitations.length, 'pending invitation')} from {by} will be cancelled.
        </p>
      )}
      {count > 0 && (
        <div>
          <p className="mb-1.5">Keys created by {by}:</p>
          <ul
            aria-label={`Keys created by ${by}`}
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
          hint="Running requests with them are cut off. Otherwise the keys stay active."
        />
      )}
    </div>
  );
}

/** The note about keys that stay active after their creator is removed; null when there are none. */
export function leftWords(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1
    ? '1 key stays active. Revoke it if it is no longer needed.'
    : `${count} keys stay active. Revoke those that are no longer needed.`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
