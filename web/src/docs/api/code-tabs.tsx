import { type ReactElement, useId, useState } from 'react';
import { codeParts } from '../../../docs/highlight.ts';
import { CopyButton, classNames } from '../../components/index.ts';
import type { Snippet } from './request-snippets.ts';

export interface CodeTabsProps {
  /** `Example request`. */
  readonly title: string;
  readonly snippets: readonly Snippet[];
}

const LANGUAGES: Readonly<Record<string, string>> = { curl: 'sh', Python: 'python', JavaScript: 'js', JSON: 'json' };

/** Code in several languages, one of them visible. */
export function CodeTabs({ title, snippets }: CodeTabsProps): ReactElement | null {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const shown = snippets[chosen] ?? snippets[0];
  if (shown === undefined) return null;
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border bg-surface">
      <figcaption className="flex min-h-9 items-center gap-1 border-b bg-sunken py-1 pr-1 pl-3 text-xs text-muted">
        <span id={id} className="mr-auto font-medium">
          {title}
        </span>
        {snippets.length > 1 && (
          <fieldset aria-labelledby={id} className="flex gap-0.5">
            {snippets.map(({ label }, at) => (
              <button
                key={label}
                type="button"
                aria-pressed={shown.label === label}
                onClick={() => setChosen(at)}
                className={classNames(
                  'rounded px-2 py-1 hover:text-text',
                  shown.label === label && 'bg-surface font-medium text-text',
                )}
              >
                {label}
              </button>
            ))}
          </fieldset>
        )}
        <CopyButton text={shown.code} label={`Copy the ${title.toLowerCase()}`} size="small" />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="max-h-96 overflow-auto px-3.5 py-3 font-mono text-xs leading-5 outline-offset-[-2px]"
      >
        <code>
          {codeParts(shown.code, LANGUAGES[shown.label] ?? '').map(({ kind, text }, at) =>
            kind === null ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a code keep their places
              <span key={at} className={`code-${kind}`}>
                {text}
              </span>
            ),
          )}
        </code>
      </pre>
    </figure>
  );
}
