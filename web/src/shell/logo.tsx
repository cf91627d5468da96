import type { ReactElement } from 'react';

export function Logo(): ReactElement {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6 shrink-0">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path d="M8 10h16M16 10v14" stroke="var(--on-accent)" strokeWidth="3.2" strokeLinecap="round" />
      <path d="M16 17l8-3" stroke="var(--on-accent)" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}
