import type { ReactElement } from 'react';

/** Modules of quiet around it, which scanners need. */
const MARGIN = 4;

/** `rows` of 0 and 1. Black on white in the dark theme as well: many apps read nothing else. */
export function QrCode({ rows }: { readonly rows: readonly string[] }): ReactElement {
  const size = rows.length + 2 * MARGIN;
  return (
    <svg
      role="img"
      aria-label="QR code of the secret, also shown below as text"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto block w-full max-w-52 rounded"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={rows.map(pathOfRow).join('')} fill="#000" />
    </svg>
  );
}

/** A box for each run of dark modules. */
function pathOfRow(row: string, y: number): string {
  return [...row.matchAll(/1+/g)]
    .map(({ index, 0: run }) => `M${index + MARGIN} ${y + MARGIN}h${run.length}v1h${-run.length}z`)
    .join('');
}
