import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface CardProps {
  readonly title?: ReactNode;
  readonly description?: ReactNode;
  /** Right of the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
  /** Without padding around the content: for tables. */
  readonly flush?: boolean;
  readonly className?: string;
}

export function Card({ title, description, actions, children, footer, flush, className }: CardProps): ReactElement {
  const hasHead = title !== undefined || actions !== undefined;
  return (
    <section className={classNames('min-w-0 rounded-lg border bg-surface', className)}>
      {hasHead && (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-3">
          <div className="min-w-0">
            {title !== undefined && <h2 className="font-semibold wrap-anywhere">{title}</h2>}
            {description !== undefined && <p className="mt-0.5 text-sm text-muted">{description}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children !== undefined && (
        <div className={classNames(!flush && (hasHead ? 'px-5 pb-5' : 'p-5'))}>{children}</div>
      )}
      {footer !== undefined && <div className="border-t px-5 py-3 text-sm text-muted">{footer}</div>}
    </section>
  );
}
