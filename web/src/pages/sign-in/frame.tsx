import type { ReactElement, ReactNode } from 'react';
import { useTitle } from '../../navigation/use-title.ts';
import { Logo } from '../../shell/logo.tsx';

export interface FrameProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Below the card: other ways. */
  readonly footer?: ReactNode;
}

/** The page around a form for somebody who is not signed in. */
export function Frame({ title, description, children, footer }: FrameProps): ReactElement {
  useTitle(title);
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-4 py-12">
      <p className="mb-6 flex items-center justify-center gap-2.5 text-lg font-semibold tracking-tight">
        <Logo />
        Turnpike
      </p>
      <div className="rounded-lg border bg-surface px-6 py-6 sm:px-8 sm:py-8">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {description !== undefined && <p className="mt-1 text-muted">{description}</p>}
        {children !== undefined && <div className="mt-6">{children}</div>}
      </div>
      {footer !== undefined && footer !== false && <p className="mt-5 text-center text-sm text-muted">{footer}</p>}
    </main>
  );
}
