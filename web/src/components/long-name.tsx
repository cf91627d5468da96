import type { ReactElement } from 'react';

/** A name on one line. If it does not fit, `maker/model` is cut off at its start; the title has all of it. */
export function LongName({ name, title = name }: { readonly name: string; readonly title?: string }): ReactElement {
  if (!name.includes('/')) {
    return (
      <span className="block truncate" title={title}>
        {name}
      </span>
    );
  }
  return (
    <span className="block truncate text-left [direction:rtl]" title={title}>
      <bdi>{name}</bdi>
    </span>
  );
}
