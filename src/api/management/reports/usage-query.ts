/** Reads a request for usage: a time range, divided into minutes, hours or days of a time zone. */
import type { Account } from '../../../accounts/ports.ts';
import { GatewayError } from '../../../core/errors.ts';
import { keyId, projectId } from '../../../core/ids.ts';
import type { UsageGroupsQuery, UsageInterval, UsageQuery } from '../../../stats/ports.ts';
import type { RouteInput } from '../../contract/route.ts';
import type { usageRoutes } from '../../contract/usage.ts';
import { checkZone, isUtc, zoneDays } from './zone-days.ts';

export interface AskedUsage {
  readonly query: UsageQuery;
  readonly interval: UsageInterval;
  /** The length of the units of `query`. */
  readonly unitMs: number;
  readonly timeZone: string;
  /** The start of each interval, and the end of the last one. */
  readonly starts: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
}

type Query = Omit<RouteInput<typeof usageRoutes.readUsage>['query'], 'account'>;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const UNITS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const;
/** One more than the longest range has, because a range need not begin with an interval. */
const COUNTS_MAX = { minute: 2 * 60 + 1, hour: 31 * 24 + 1, day: 366 + 1 } as const;
/** Ranges up to this length are by the hour by default. */
const BY_HOUR_MS = 3 * DAY_MS;
const LATEST_MS = Date.UTC(2200, 0, 1);
/** Intervals times groups: as many as can be written without delaying other work. */
const POINTS_MAX = 3_400;

/** `costs`: whether what calls cost is shown. Throws `GatewayError` `invalid_value`. */
export function readUsageQuery(account: Account, query: Query, costs: boolean): AskedUsage {
  const fromMs = Date.parse(query.from);
  const toMs = Date.parse(query.to);
  if (fromMs < 0 || toMs <= fromMs || toMs > LATEST_MS)
    throw invalid('to', 'to must be later than from, and both must be in the years 1970 to 2199.');
  const interval = query.interval ?? (toMs - fromMs <= BY_HOUR_MS ? 'hour' : 'day');
  if ((toMs - fromMs) / UNITS[interval] > COUNTS_MAX[interval])
    throw invalid(
      'to',
      'Intervals of a minute are available for up to 2 hours, of an hour for up to 31 days, of a day for up to 366 days.',
    );
  const timeZone = query.time_zone ?? 'UTC';
  checkZone(timeZone);
  const span =
    interval === 'day' && !isUtc(timeZone) ? zoneSpan(timeZone, fromMs, toMs) : utcSpan(interval, fromMs, toMs);
  const { starts, unitMs } = span;
  const groups = query.group_by === 'none' ? 1 : query.groups + 1;
  if (query.format === 'json' && starts.length * groups > POINTS_MAX)
    throw invalid(
      'groups',
      `A report has at most ${POINTS_MAX} points: ask for fewer groups, for days, or for less time.`,
    );
  return {
    query: {
      accountId: account.id,
      ...span.query,
      groupBy: query.group_by,
      projectId: query.project === undefined ? null : projectId(query.project),
      keyId: query.key === undefined ? null : keyId(query.key),
      model: query.model ?? null,
      provider: query.provider ?? null,
      groups: query.groups,
      costs,
    },
    interval,
    unitMs,
    timeZone,
    starts,
    fromMs: span.query.first * unitMs,
    toMs: span.query.end * unitMs,
  };
}

interface Span {
  readonly query: Pick<UsageQuery, 'interval' | 'first' | 'end' | 'days'>;
  readonly unitMs: number;
  readonly starts: readonly number[];
}

function utcSpan(interval: UsageInterval, fromMs: number, toMs: number): Span {
  const unitMs = UNITS[interval];
  const first = Math.floor(fromMs / unitMs);
  const end = Math.ceil(toMs / unitMs);
  const starts = Array.from({ length: end - first }, (_, index) => (first + index) * unitMs);
  return { query: { interval, first, end }, unitMs, starts };
}

/** Throws `GatewayError` `invalid_value`. */
function zoneSpan(timeZone: string, fromMs: number, toMs: number): Span {
  const days = zoneDays(timeZone, fromMs, toMs);
  const [first = 0, end = 0] = [days[0], days.at(-1)];
  return {
    query: { interval: 'hour', first, end, days },
    unitMs: HOUR_MS,
    starts: days.slice(0, -1).map((hour) => hour * HOUR_MS),
  };
}

const SORTS = { spend: 'charge', requests: 'calls', tokens: 'tokens', errors: 'failed' } as const;

/** `-spend`. */
export function readSort(text: string): UsageGroupsQuery['sort'] {
  const name = text.replace('-', '') as keyof typeof SORTS;
  return { by: SORTS[name], descending: text.startsWith('-') };
}

/** Throws `GatewayError` `invalid_value`. */
export function readOffset(cursor: string): number {
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw invalid('cursor', 'cursor is invalid; use the one from the previous page.');
  return Number(cursor);
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}
