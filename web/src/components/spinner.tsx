import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';

export function Spinner({ className }: { readonly className?: string }): ReactElement {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className={classNames('spin size-4 shrink-0', className)} fill="none">
      <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M14 8a6 6 0 0 0-6-6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
