import type { ReactElement } from 'react';

/** A name on one line. Where it does not fit, `maker/model` is cut off at its beginning; the title has the whole. */
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
