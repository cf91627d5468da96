/** Empty states and errors. */
import type { ReactElement, ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { basePath } from '../navigation/base-path.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface EmptyStateProps {
  readonly title: string;
  /** What belongs here, and how to get it. */
  readonly children?: ReactNode;
  readonly icon?: IconName;
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, icon, action }: EmptyStateProps): ReactElement {
  return (
    <div className="flex flex-col items-center px-6 py-10 text-center">
      {icon !== undefined && <Icon name={icon} className="mb-3 size-6 text-faint" />}
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="mt-1 max-w-md text-sm text-muted">{children}</div>}
      {action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  readonly error: unknown;
  readonly retry?: () => void;
  /** What failed: `Could not load keys`. */
  readonly title?: string;
}

/** What happened, with the error code and the request ID to find in the log. */
export function ErrorState({ error, retry, title = 'Could not load this' }: ErrorStateProps): ReactElement {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-10 text-center">
      <Icon name="warning" className="mb-3 size-6 text-bad-text" />
      <p className="font-medium">{title}</p>
      <p className="mt-1 max-w-md text-sm text-muted">{messageOf(error)}</p>
      <ErrorFacts error={error} className="mt-2 justify-center" />
      {retry !== undefined && (
        <Button className="mt-4" icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** In a form or a dialog, above its buttons. Empty without an error. */
export function ErrorNote({ error }: { readonly error: unknown }): ReactElement | null {
  if (error === null || error === undefined) return null;
  return (
    <div role="alert" className="rounded border border-transparent bg-bad-soft px-3 py-2 text-sm text-bad-text">
      <p>{messageOf(error)}</p>
      <ErrorFacts error={error} className="mt-0.5" />
    </div>
  );
}

export interface NoteProps {
  readonly tone?: 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
  readonly children: ReactNode;
}

const NOTES = {
  neutral: 'bg-sunken text-text',
  accent: 'bg-accent-soft text-accent-text',
  good: 'bg-good-soft text-good-text',
  warn: 'bg-warn-soft text-warn-text',
  bad: 'bg-bad-soft text-bad-text',
} as const;

/** A note about the content around it. */
export function Note({ tone = 'neutral', children }: NoteProps): ReactElement {
  return <div className={classNames('rounded px-3 py-2 text-sm wrap-anywhere', NOTES[tone])}>{children}</div>;
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    const wait = error.retryAfter === null ? '' : ` Try again in ${Math.ceil(error.retryAfter)} s.`;
    return `${error.message}${wait}`;
  }
  return error instanceof Error ? error.message : 'Something went wrong. Reload the page and try again.';
}

function ErrorFacts({
  error,
  className,
}: {
  readonly error: unknown;
  readonly className?: string;
}): ReactElement | null {
  // The code is only useful together with a request to look up.
  if (!(error instanceof ApiError) || error.requestId === null) return null;
  return (
    <p className={classNames('flex flex-wrap items-center gap-x-2 font-mono text-xs', className)}>
      <a href={`${basePath}/docs/reference/errors#${error.code}`} className="underline underline-offset-2">
        {error.code}
      </a>
      <span className="inline-flex items-center gap-1">
        {error.requestId}
        <CopyButton text={error.requestId} label="Copy request ID" size="small" />
      </span>
    </p>
  );
}
