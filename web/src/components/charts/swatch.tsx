import type { ReactElement } from 'react';
import { type EntityKind, markOf } from './entity-mark.ts';

/** The colour that charts draw an entity in. Its name is next to it. */
export function Swatch({ kind, id }: { readonly kind: EntityKind; readonly id: string }): ReactElement {
  const { colour, isStriped } = markOf(kind, id);
  const paint = `var(${colour})`;
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0" data-mark={`${colour} ${isStriped}`}>
      <rect width="10" height="10" rx="2" fill={paint} fillOpacity={isStriped ? 0.35 : 1} />
      {isStriped && <path d="M-1 6L6 -1M0 10L10 0M4 11L11 4" stroke={paint} strokeWidth="2" />}
    </svg>
  );
}
