/** Figures as elements: tabular, with the exact value in the title. */
import type { ReactElement } from 'react';
import { formatAgo, formatCount, formatMs, formatShort, formatTime } from '../../format/figures.ts';
import { exactUsd, formatAvailable, formatUsd, type Usd } from '../../format/money.ts';
import { useNow } from '../use-now.ts';

export interface MoneyProps {
  readonly usd: Usd;
  /** All amounts shown together with it: they have the same decimals. Omitted for a single one. */
  readonly together?: readonly Usd[];
}

/** USD; a dash for null. The title has every place. In a table a column's `amount` does this by itself. */
export function Money({ usd, together }: MoneyProps): ReactElement {
  return (
    <span className="figures whitespace-nowrap" title={exactUsd(usd)}>
      {formatUsd(usd, together)}
    </span>
  );
}

/** USD available to spend: rounded down. The title has every place. */
export function AvailableMoney({ usd, together }: MoneyProps): ReactElement {
  return (
    <span className="figures whitespace-nowrap" title={exactUsd(usd)}>
      {formatAvailable(usd, together)}
    </span>
  );
}

export function Tokens({ count }: { readonly count: number }): ReactElement {
  return (
    <span className="figures whitespace-nowrap" title={`${formatCount(count)} tokens`}>
      {formatShort(count)}
    </span>
  );
}

export function Duration({ ms }: { readonly ms: number | null | undefined }): ReactElement {
  return <span className="figures whitespace-nowrap">{formatMs(ms)}</span>;
}

export interface TimeProps {
  readonly at: string | null;
  /** `relative` (5 min ago, which keeps counting), or the full time. */
  readonly as?: 'relative' | 'whole';
  /** Shown if there is no time. */
  readonly none?: string;
}

export function Time({ at, as = 'relative', none = '–' }: TimeProps): ReactElement {
  // The shared clock only refreshes the text: what has just happened must not appear in the future until its next tick.
  const now = useNow();
  if (at === null) return <span className="text-muted">{none}</span>;
  return (
    <time dateTime={at} title={`${formatTime(at)} (${at})`} className="whitespace-nowrap">
      {as === 'relative' ? formatAgo(at, Math.max(now, Date.now())) : formatTime(at)}
    </time>
  );
}
