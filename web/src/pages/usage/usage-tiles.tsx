import type { ReactElement } from 'react';
import { Tile, TileGrid } from '../../components/index.ts';
import { formatMs, formatShare, formatShort } from '../../format/figures.ts';
import { TileUsd } from '../overview/usage-tiles.tsx';
import { deltaOf, errorRate, pointsOf, tokensOf, type Usage } from './measures.ts';

interface UsageTilesProps {
  readonly usage: Usage | undefined;
  /** Whether the time before can be compared with. */
  readonly hasEarlier: boolean;
  /** Of the time before: the API gives sums of it by themselves, but no latency. */
  readonly latencyBefore: Usage['latency'] | undefined;
}

export function UsageTiles({ usage, hasEarlier, latencyBefore }: UsageTilesProps): ReactElement {
  if (usage === undefined) return <Loading />;
  const { totals, latency } = usage;
  const previous = hasEarlier ? usage.previous : null;
  const rate = errorRate(totals);
  return (
    <TileGrid>
      <Tile
        label="Spend"
        value={<TileUsd usd={totals.spend} />}
        delta={deltaOf(totals.spend, previous?.spend ?? null)}
      />
      <Tile
        label="Requests"
        value={formatShort(totals.requests)}
        delta={deltaOf(totals.requests, previous?.requests ?? null)}
      />
      <Tile
        label="Tokens"
        value={formatShort(tokensOf(totals))}
        delta={deltaOf(tokensOf(totals), previous && tokensOf(previous))}
      />
      <Tile
        label="Error rate"
        value={rate === null ? '–' : formatShare(rate)}
        delta={pointsOf(rate, previous && errorRate(previous))}
        inPoints
        better="less"
      />
      {totals.cache_hits > 0 ? (
        <FirstTokenAndSaved usage={usage} />
      ) : (
        <>
          <Latency
            name="Time to first token (p50)"
            ms={latency.p50_ms}
            before={hasEarlier ? latencyBefore?.p50_ms : null}
          />
          <Latency
            name="Time to first token (p95)"
            ms={latency.p95_ms}
            before={hasEarlier ? latencyBefore?.p95_ms : null}
          />
        </>
      )}
    </TileGrid>
  );
}

/** Both times in one tile, so that there are six tiles with what the response cache saved: a seventh would have a row of its own. */
function FirstTokenAndSaved({ usage: { totals, latency } }: { readonly usage: Usage }): ReactElement {
  return (
    <>
      <Tile
        label="Time to first token"
        value={formatMs(latency.p50_ms)}
        note={latency.p95_ms === null ? 'no data for this period' : `p50 · p95 ${formatMs(latency.p95_ms)}`}
      />
      <Tile
        label="Saved by the response cache"
        value={<TileUsd usd={totals.saved} />}
        note={`${formatShort(totals.cache_hits)} ${totals.cache_hits === 1 ? 'request' : 'requests'}`}
      />
    </>
  );
}

interface LatencyProps {
  readonly name: string;
  readonly ms: number | null;
  /** Undefined: not known yet. */
  readonly before: number | null | undefined;
}

function Latency({ name, ms, before }: LatencyProps): ReactElement {
  if (ms === null) return <Tile label={name} value="–" note="no data for this period" />;
  return (
    <Tile
      label={name}
      value={formatMs(ms)}
      better="less"
      {...(before === undefined ? {} : { delta: deltaOf(ms, before) })}
    />
  );
}

function Loading(): ReactElement {
  return (
    <TileGrid>
      {['Spend', 'Requests', 'Tokens', 'Error rate', 'Time to first token (p50)', 'Time to first token (p95)'].map(
        (label) => (
          <Tile key={label} label={label} value="" loading />
        ),
      )}
    </TileGrid>
  );
}
