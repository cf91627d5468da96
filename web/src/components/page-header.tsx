import type { ReactElement, ReactNode } from 'react';
import { useTitle } from '../navigation/use-title.ts';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';

export interface PageHeaderProps {
  readonly title: string;
  /** Right of the title: a badge. */
  readonly badge?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** The page above: `{ href: '/keys', label: 'Keys' }`. */
  readonly back?: { readonly href: string; readonly label: string };
}

/** Once per page, first: the heading, which is also the document's title. */
export function PageHeader({ title, badge, description, actions, back }: PageHeaderProps): ReactElement {
  useTitle(title);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 max-w-full">
        {back !== undefined && (
          <Link
            href={back.href}
            plain
            className="mb-1 inline-flex items-center gap-1 text-sm text-muted hover:text-text"
          >
            <Icon name="left" className="size-3.5" />
            {back.label}
          </Link>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight wrap-anywhere">
            {title}
          </h1>
          {badge}
        </div>
        {description !== undefined && <p className="mt-1 max-w-2xl wrap-anywhere text-muted">{description}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
