import type { ReactElement } from 'react';

/** A sentence of the document, with code between backticks. */
export function Prose({ children }: { readonly children: string }): ReactElement {
  return (
    <>
      {children.split('`').map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
          <code key={index} className="rounded-sm bg-sunken px-1 font-mono text-xs wrap-anywhere">
            {part}
          </code>
        ),
      )}
    </>
  );
}
