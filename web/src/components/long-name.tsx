import type { ReactElement } from 'react';

/** A name on one line. Where it does not fit, the maker of `maker/model` is cut off first; the title has the whole. */
export function LongName({ name, title = name }: { readonly name: string; readonly title?: string }): ReactElement {
  const at = name.indexOf('/') + 1;
  return (
    <span className="flex min-w-0" title={title}>
      {at > 0 && <span className="min-w-3 shrink-999 truncate">{name.slice(0, at)}</span>}
      <span className="truncate">{name.slice(at)}</span>
    </span>
  );
}
