/** The range of a page, in the address: `?range=7d`, or `?from=…&to=…`. Days and months are those of the chosen zone. */
import { useMemo } from 'react';
import { useNow } from '../components/use-now.ts';
import { zoneName } from '../format/zone.ts';
import { isRangeName, type RangeName, type RangeTime, rangeTime } from './range-time.ts';
import { useQueryStates } from './use-query-state.ts';
import { useZone } from './use-zone.ts';

export interface Range extends RangeTime {
  readonly name: RangeName | 'custom';
  /** As parameters of consumption reports. */
  readonly query: {
    readonly from: string;
    readonly to: string;
    readonly interval: 'minute' | 'hour' | 'day';
    readonly time_zone: string;
  };
}

export interface RangeState {
  readonly range: Range;
  readonly setRange: (name: RangeName) => void;
  /** ISO 8601. */
  readonly setCustom: (from: string, to: string) => void;
}

const MINUTE_MS = 60_000;

export function useRange(fallback: RangeName = '7d'): RangeState {
  const [query, change] = useQueryStates();
  const now = useNow();
  const zone = useZone();
  const { name, time } = readRange(query.get('range'), query.get('from'), query.get('to'), fallback, now);
  const { from, to, interval } = time;
  // A clock tick that does not change the range leaves the request as it was.
  const range = useMemo((): Range => {
    // Named only to be refetched when the zone has changed.
    const time_zone = zone === 'utc' ? 'UTC' : zoneName();
    return { name, from, to, interval, query: { from, to, interval, time_zone } };
  }, [name, from, to, interval, zone]);
  return {
    range,
    setRange: (chosen) => change({ range: chosen === fallback ? null : chosen, from: null, to: null }),
    setCustom: (fromAt, toAt) => change({ range: null, from: fromAt, to: toAt }),
  };
}

function readRange(
  named: string | null,
  from: string | null,
  to: string | null,
  fallback: RangeName,
  nowMs: number,
): { readonly name: Range['name']; readonly time: RangeTime } {
  const [fromMs, toMs] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  if (fromMs < toMs) {
    const interval =
      toMs - fromMs > 7 * 24 * 60 * MINUTE_MS ? 'day' : toMs - fromMs > 120 * MINUTE_MS ? 'hour' : 'minute';
    return {
      name: 'custom',
      time: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), interval },
    };
  }
  const name = named !== null && isRangeName(named) ? named : fallback;
  return { name, time: rangeTime(name, nowMs) };
}
