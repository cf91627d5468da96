import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

export interface CodeBlockProps {
  readonly code: string;
  /** Above it: `curl`, `~/.codex/config.toml`. */
  readonly title?: string;
  /** Breaks long lines instead of scrolling. */
  readonly wrap?: boolean;
  /** Of the button: `Copy command`. */
  readonly copyLabel?: string;
}

export function CodeBlock({ code, title, wrap, copyLabel = 'Copy' }: CodeBlockProps): ReactElement {
  return (
    <figure className="min-w-0 overflow-hidden rounded border bg-sunken">
      {title !== undefined && (
        <figcaption className="flex items-center justify-between border-b py-1 pr-1 pl-3 text-sm text-muted">
          <span className="min-w-0 truncate font-mono text-xs">{title}</span>
          <CopyButton text={code} label={copyLabel} size="small" />
        </figcaption>
      )}
      <div className="relative">
        {/* A box that scrolls must be reachable with the keyboard. */}
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          tabIndex={0}
          className={classNames(
            'max-h-96 overflow-auto py-3 pl-3 font-mono text-xs leading-5 outline-offset-[-2px]',
            title === undefined ? 'pr-12' : 'pr-3',
            wrap && 'break-all whitespace-pre-wrap',
          )}
        >
          <code>{code}</code>
        </pre>
        {title === undefined && (
          <div className="absolute top-1.5 right-1.5 rounded bg-sunken">
            <CopyButton text={code} label={copyLabel} size="small" />
          </div>
        )}
      </div>
    </figure>
  );
}
