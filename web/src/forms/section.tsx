import { type ReactElement, type ReactNode, useState } from 'react';
import { Icon } from '../components/index.ts';

export interface SectionProps {
  readonly title: string;
  /** A summary of what is set within: `60 requests per minute`, `none`. */
  readonly summary: string;
  readonly children: ReactNode;
  /** Opens it, and keeps it open: something within is wrong. */
  readonly hasError?: boolean;
}

/** A part of a form that most people leave alone: when closed, it shows a summary. */
export function Section({ title, summary, children, hasError = false }: SectionProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen || hasError}
      // The browser can only focus an invalid field that is visible.
      onInvalidCapture={(event) => {
        event.currentTarget.open = true;
      }}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-t py-3 last:border-b"
    >
      <summary className="flex list-none items-center gap-3 rounded [&::-webkit-details-marker]:hidden">
        <Icon name="right" className="text-muted group-open:rotate-90" />
        <span className="font-medium">{title}</span>
        <span className="ml-auto min-w-0 truncate text-sm text-muted group-open:hidden">{summary}</span>
      </summary>
      <div className="flex flex-col gap-5 pt-4 pb-2">{children}</div>
    </details>
  );
}
