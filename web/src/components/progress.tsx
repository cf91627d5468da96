import type { ReactElement } from 'react';
import { formatUsd } from '../format/money.ts';
import { classNames } from './class-names.ts';

export interface ProgressProps {
  readonly value: number;
  /** Null: there is no limit, and no bar. */
  readonly limit: number | null;
  /** What is measured: `Spend of the key`. */
  readonly label: string;
  /** How both are written; USD when absent. */
  readonly format?: (value: number) => string;
  /** Without the figures next to it. */
  readonly bare?: boolean;
  /** For what is meant to be reached, and no limit. */
  readonly calm?: boolean;
}

/** How much of a limit is used: calm below 80 %, amber above, red when it is reached. */
export function Progress({ value, limit, label, format = formatUsd, bare, calm }: ProgressProps): ReactElement {
  if (limit === null) return <span className="figures">{format(value)}</span>;
  const share = limit <= 0 ? 1 : Math.min(1, Math.max(0, value / limit));
  const tone = calm ? 'bg-accent' : share >= 1 ? 'bg-bad' : share >= 0.8 ? 'bg-warn' : 'bg-accent';
  return (
    <div className="min-w-24">
      {!bare && (
        <div className="figures mb-1 text-sm whitespace-nowrap">
          {format(value)} <span className="text-muted">of {format(limit)}</span>
        </div>
      )}
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={`${format(value)} of ${format(limit)}`}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className={classNames('h-full rounded-full', tone)} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
