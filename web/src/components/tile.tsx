import type { ReactElement, ReactNode } from 'react';
import { formatPoints, formatShare } from '../format/figures.ts';
import { Sparkline } from './charts/sparkline.tsx';
import { classNames } from './class-names.ts';
import { Link } from './link.tsx';
import { Skeleton } from './skeleton.tsx';

export interface TileProps {
  readonly label: string;
  readonly value: ReactNode;
  /** Below the value, instead of a delta: `13 days left`. */
  readonly note?: ReactNode;
  /** Change compared with the previous period, as a share: 0.12 is 12 % more; `inPoints`, the difference of two shares. Null: nothing to compare with, and no note. */
  readonly delta?: number | null;
  /** The figure is a share itself: its change is shown in points, 0.012 as `1.2 points`, and not as a share of a share. */
  readonly inPoints?: boolean;
  /** Which way is good; `neither` (spend, requests) has no colour. */
  readonly better?: 'more' | 'less' | 'neither';
  readonly values?: readonly number[];
  readonly loading?: boolean;
  /** The page with the details. */
  readonly href?: string;
}

/** One figure. Put tiles into `<TileGrid>`. */
export function Tile({
  label,
  value,
  note,
  delta,
  inPoints = false,
  better = 'neither',
  values,
  loading,
  href,
}: TileProps): ReactElement {
  return (
    <div className="relative flex min-w-0 flex-col rounded-lg border bg-surface px-4 py-3.5">
      <div className="text-sm text-muted">
        {href === undefined ? (
          label
        ) : (
          <Link href={href} plain className="after:absolute after:inset-0 after:rounded-lg hover:text-text">
            {label}
          </Link>
        )}
      </div>
      {loading ? (
        <Skeleton className="mt-1.5 h-6 w-20" />
      ) : (
        <div className="figures mt-0.5 truncate text-xl font-semibold tracking-tight">{value}</div>
      )}
      <div className="figures mt-0.5 min-h-4 text-xs text-muted">
        {!loading && (note ?? (delta !== undefined && <Delta by={delta} inPoints={inPoints} better={better} />))}
      </div>
      {values !== undefined && (
        <div className="mt-2 h-7">{!loading && <Sparkline values={values} className="h-7 w-full" />}</div>
      )}
    </div>
  );
}

export function TileGrid({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">{children}</div>;
}

/** Beyond this a percentage only says that there was next to nothing before. */
const SHARE_MAX = 10;
/** A tenth of a percent, or of a point. */
const SHARE_MIN = 0.001;

interface DeltaProps {
  readonly by: number | null;
  readonly inPoints: boolean;
  readonly better: string;
}

function Delta({ by, inPoints, better }: DeltaProps): ReactElement | null {
  if (by === null || !Number.isFinite(by)) return null;
  // A change that is invisible in the figure has neither a direction nor a colour.
  const isSame = Math.abs(by) < SHARE_MIN;
  const isGood = better === 'neither' || isSame ? null : by > 0 === (better === 'more');
  return (
    <span className={classNames(isGood === true && 'text-good-text', isGood === false && 'text-bad-text')}>
      {isSame ? 'unchanged' : `${by > 0 ? '↑' : '↓'} ${inPoints ? formatPoints(Math.abs(by)) : shareOf(by)}`}
      <span className="sr-only"> compared with the previous period</span>
    </span>
  );
}

function shareOf(by: number): string {
  return by > SHARE_MAX ? 'over 10×' : formatShare(Math.abs(by));
}
