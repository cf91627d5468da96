import type { ReactElement, ReactNode } from 'react';
import type { Sums } from '../../api/types.ts';
import { Tile, TileGrid } from '../../components/index.ts';
import { formatMs, formatShare, formatShort } from '../../format/figures.ts';
import { exactUsd, formatUsd, formatUsdShort } from '../../format/money.ts';
import { pointsOf } from '../usage/measures.ts';
import { type Usage, wholeCourse } from './usage-series.ts';

export interface UsageTilesProps {
  readonly usage: Usage | undefined;
  /** Whether the previous period can be compared. */
  readonly hasEarlier: boolean;
  readonly isPending: boolean;
  /** The usage page with a query: each figure links to its own metric there. */
  readonly href?: string;
  /** More tiles, after the others. */
  readonly children?: ReactNode;
}

/** Totals of a period compared with the previous one: spend, requests, tokens, errors, time to first token. */
export function UsageTiles({ usage, hasEarlier, isPending, href, children }: UsageTilesProps): ReactElement {
  const { totals, latency } = usage ?? {};
  const previous = hasEarlier ? usage?.previous : undefined;
  const link = (metric: string): { readonly href?: string } =>
    href === undefined ? {} : { href: metric === 'spend' ? href : `${href}&metric=${metric}` };
  const share = errorShare(totals);
  return (
    <TileGrid>
      <Tile
        label="Spend"
        value={totals === undefined ? '–' : <TileUsd usd={totals.spend} />}
        delta={change(totals?.spend, previous?.spend)}
        values={usage ? wholeCourse(usage, 'spend') : []}
        loading={isPending}
        {...link('spend')}
      />
      <Tile
        label="Requests"
        value={totals === undefined ? '–' : formatShort(totals.requests)}
        delta={change(totals?.requests, previous?.requests)}
        values={usage ? wholeCourse(usage, 'requests') : []}
        loading={isPending}
        {...link('requests')}
      />
      <Tile
        label="Tokens"
        value={totals === undefined ? '–' : formatShort(totals.prompt_tokens + totals.completion_tokens)}
        delta={change(tokensOf(totals), tokensOf(previous))}
        values={usage ? wholeCourse(usage, 'tokens') : []}
        loading={isPending}
        {...link('tokens')}
      />
      <Tile
        label="Error rate"
        value={share === undefined ? '–' : formatShare(share)}
        delta={pointsOf(share ?? null, errorShare(previous) ?? null)}
        inPoints
        better="less"
        values={usage ? wholeCourse(usage, 'failed') : []}
        loading={isPending}
        {...link('errors')}
      />
      <Tile
        label="Time to first token"
        value={formatMs(latency?.p50_ms)}
        note={latency === undefined || latency.p95_ms === null ? ' ' : `p50 · p95 ${formatMs(latency.p95_ms)}`}
        loading={isPending}
        {...link('requests')}
      />
      {children}
    </TileGrid>
  );
}

/** An amount that fits a tile on a phone: large ones are shortened, with the full amount in the title. */
export function TileUsd({ usd }: { readonly usd: number }): ReactElement {
  return <span title={exactUsd(usd)}>{Math.abs(usd) < 100_000 ? formatUsd(usd) : formatUsdShort(usd)}</span>;
}

/** Relative to the previous value; null when that is zero. */
function change(now: number | undefined, before: number | undefined): number | null {
  if (now === undefined || before === undefined || before === 0) return null;
  return (now - before) / before;
}

function tokensOf(sums: Sums | undefined): number | undefined {
  return sums === undefined ? undefined : sums.prompt_tokens + sums.completion_tokens;
}

function errorShare(sums: Sums | undefined): number | undefined {
  return sums === undefined || sums.requests === 0 ? undefined : sums.failed / sums.requests;
}
