/** The time that a page is about, in the address: `?range=7d`, or `?from=…&to=…`. */
import { useMemo } from 'react';
import { useNow } from '../components/use-now.ts';
import { useQueryStates } from './use-query-state.ts';

export type RangeName = '24h' | '7d' | '30d' | '90d';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LENGTHS: Readonly<Record<RangeName, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
};

export interface Range {
  readonly name: RangeName | 'custom';
  /** ISO 8601; `to` is not included. Named ranges end with the running hour or day, so that they stay the same for a while. */
  readonly from: string;
  readonly to: string;
  /** How the API is asked to cut it. */
  readonly interval: 'hour' | 'day';
}

export interface RangeState {
  readonly range: Range;
  readonly setRange: (name: RangeName) => void;
  /** ISO 8601. */
  readonly setCustom: (from: string, to: string) => void;
}

export function useRange(fallback: RangeName = '7d'): RangeState {
  const [query, change] = useQueryStates();
  const now = useNow();
  const named = query.get('range');
  const from = query.get('from');
  const to = query.get('to');
  // A step of the clock within the same hour changes nothing.
  const hour = Math.floor(now / HOUR_MS);
  const range = useMemo(() => readRange(named, from, to, fallback, hour * HOUR_MS), [named, from, to, fallback, hour]);
  return {
    range,
    setRange: (name) => change({ range: name === fallback ? null : name, from: null, to: null }),
    setCustom: (fromAt, toAt) => change({ range: null, from: fromAt, to: toAt }),
  };
}

function readRange(
  named: string | null,
  from: string | null,
  to: string | null,
  fallback: RangeName,
  hourMs: number,
): Range {
  const fromMs = Date.parse(from ?? '');
  const toMs = Date.parse(to ?? '');
  if (fromMs < toMs) {
    const interval = toMs - fromMs > 7 * DAY_MS ? 'day' : 'hour';
    return { name: 'custom', from: iso(fromMs), to: iso(toMs), interval };
  }
  const name = named !== null && Object.hasOwn(LENGTHS, named) ? (named as RangeName) : fallback;
  const byHour = LENGTHS[name] <= 7 * DAY_MS;
  const end = byHour ? hourMs + HOUR_MS : (Math.floor(hourMs / DAY_MS) + 1) * DAY_MS;
  return { name, from: iso(end - LENGTHS[name]), to: iso(end), interval: byHour ? 'hour' : 'day' };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
