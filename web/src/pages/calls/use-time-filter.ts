/** The time range of a list, in the URL: absent for any time, `?range=24h`, or `?from=…&to=…`. */
import { useMemo } from 'react';
import { formatTime } from '../../format/figures.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';

export type SpanName = '1h' | '24h' | '7d' | '30d';
export type TimeName = 'any' | SpanName | 'custom';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SPANS: Readonly<Record<SpanName, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
};
export const TIME_WORDS: Readonly<Record<TimeName, string>> = {
  any: 'Any time',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  custom: 'Custom…',
};

export interface TimeFilter {
  readonly name: TimeName;
  /** ISO 8601; undefined is open. `to` is not included. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly words: string;
  readonly setSpan: (name: TimeName) => void;
  readonly setCustom: (from: string | null, to: string | null) => void;
}

export function useTimeFilter(): TimeFilter {
  const [query, change] = useQueryStates();
  const range = query.get('range');
  const [from, to] = [readTime(query.get('from')), readTime(query.get('to'))];
  // Counted from when it was chosen: a range that follows the clock would refetch the list constantly.
  const spanFrom = useMemo(() => (isSpan(range) ? startOf(range) : undefined), [range]);
  const setters = {
    setSpan: (name: TimeName) => change({ range: name === 'any' ? null : name, from: null, to: null }),
    setCustom: (fromAt: string | null, toAt: string | null) => change({ range: null, from: fromAt, to: toAt }),
  };
  if (from !== undefined || to !== undefined) {
    return { name: 'custom', from, to, words: wordsOf(from, to), ...setters };
  }
  const name = isSpan(range) ? range : 'any';
  return { name, from: spanFrom, to: undefined, words: TIME_WORDS[name], ...setters };
}

function isSpan(name: string | null): name is SpanName {
  return name !== null && Object.hasOwn(SPANS, name);
}

function startOf(name: SpanName): string {
  return new Date(Math.floor((Date.now() - SPANS[name]) / MINUTE_MS) * MINUTE_MS).toISOString();
}

function readTime(text: string | null): string | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function wordsOf(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return `before ${formatTime(to ?? 0)}`;
  return to === undefined ? `since ${formatTime(from)}` : `${formatTime(from)} to ${formatTime(to)}`;
}
