/** Figures as elements: tabular, with the whole truth in the title. */
import type { ReactElement } from 'react';
import { formatAgo, formatCount, formatMs, formatShort, formatTime } from '../../format/figures.ts';
import { exactUsd, formatAvailable, formatUsd, type Usd } from '../../format/money.ts';
import { useNow } from '../use-now.ts';

export interface MoneyProps {
  readonly usd: Usd;
  /** All amounts that it stands with: they have the same decimals. Alone without. */
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

/** USD that are there to be spent: rounded down. The title has every place. */
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
  /** `relative` (5 min ago, which goes on counting), or the whole time. */
  readonly as?: 'relative' | 'whole';
  /** Instead of the time when there is none. */
  readonly none?: string;
}

export function Time({ at, as = 'relative', none = '–' }: TimeProps): ReactElement {
  // The shared clock only renews the words: what has just happened must not stand in the future until its next step.
  const now = useNow();
  if (at === null) return <span className="text-muted">{none}</span>;
  return (
    <time dateTime={at} title={`${formatTime(at)} (${at})`} className="whitespace-nowrap">
      {as === 'relative' ? formatAgo(at, Math.max(now, Date.now())) : formatTime(at)}
    </time>
  );
}
