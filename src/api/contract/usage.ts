/** Routes of usage: sums of calls over time, from the rollups, which outlive records and keys. */
import * as z from 'zod';
import {
  accountQuery,
  boundIn,
  count,
  format,
  nextCursor,
  nothing,
  page,
  time,
  timeOrNull,
  usdOrNull,
  usdOut,
} from './fields.ts';
import { declare } from './route.ts';

const doors = ['dashboard', 'management', 'control'] as const;

export const sumsOut = z.strictObject({
  /** USD charged. */
  spend: usdOut,
  /** USD charged, less the list price of what was asked of providers with the operator's credentials; null for people who are not operators. */
  margin: usdOrNull,
  requests: count,
  failed: count,
  prompt_tokens: count,
  completion_tokens: count,
  cached_tokens: count,
  reasoning_tokens: count,
  /** Requests that were answered from the response cache. */
  cache_hits: count,
  /** USD that those would have been charged. */
  saved: usdOut,
});

/** Milliseconds to the first byte; null if no call in the time range still has a record. */
const latencyOut = z.strictObject({ calls: count, p50_ms: z.number().nullable(), p95_ms: z.number().nullable() });

/** One number for each of `starts`. */
const series = z.array(z.number());

const SORTS = ['-spend', 'spend', '-requests', 'requests', '-tokens', 'tokens', '-errors', 'errors'] as const;
/** A name from the time zone database, or an offset; not a timestamp, from which Temporal would take the zone. */
const ZONE = /^(?:[A-Za-z][\w+-]*(?:\/[\w+-]+)*|[+-]\d\d:\d\d)$/;

const interval = z.enum(['minute', 'hour', 'day']);

const timeQuery = accountQuery.extend({
  /** Rounded to whole intervals; `to` is not included. */
  from: boundIn,
  to: boundIn,
  /** Minutes for up to 2 hours, hours for up to 31 days, days for up to 366; by default hours or days, depending on the time range. */
  interval: interval.optional(),
  time_zone: z.string().max(64).regex(ZONE, 'a time zone is written like Europe/Berlin, or +05:30').optional().meta({
    description:
      'Time zone of the days, such as `Europe/Berlin`; default: UTC. Usage is stored by UTC hour: if midnight is not on a whole UTC hour, a day starts with the hour that contains midnight.',
  }),
  project: z.coerce.number().int().optional(),
  key: z.coerce.number().int().optional(),
  model: z.string().max(300).optional(),
  provider: z.string().max(100).optional(),
});

const usageQuery = timeQuery.extend({
  group_by: z.enum(['none', 'model', 'key', 'project', 'provider']).default('none'),
  /** Number of groups; the rest are summed up as "Other", except in CSV. */
  groups: z.coerce.number().int().min(1).max(50).default(8),
  /** `csv` returns every group, and ends with a total line. */
  format,
});

export const usageRoutes = {
  readUsage: declare({
    method: 'GET',
    path: '/usage',
    summary: 'Get usage over a time range, by group and interval',
    needs: 'viewer',
    doors,
    params: nothing,
    query: usageQuery,
    body: nothing,
    answer: z.strictObject({
      data: z.strictObject({
        from: time,
        to: time,
        interval,
        time_zone: z.string(),
        /** The start of each interval. */
        starts: z.array(time),
        totals: sumsOut,
        /** Of the preceding time range of the same length. */
        previous: sumsOut,
        latency: latencyOut,
        /** Highest spend first; one group with `group_by: none`. */
        groups: z.array(
          z.strictObject({
            /** The name of the model or provider, the id of the key or project, `all`, or `other`. */
            id: z.string(),
            name: z.string(),
            totals: sumsOut,
            spend: z.array(usdOut),
            requests: series,
            failed: series,
            prompt_tokens: series,
            completion_tokens: series,
          }),
        ),
      }),
    }),
    also: 'text/csv',
  }),
  listUsageGroups: declare({
    method: 'GET',
    path: '/usage/groups',
    summary: 'List usage over a time range for every group, page by page',
    needs: 'viewer',
    doors,
    params: nothing,
    query: timeQuery.extend({
      group_by: z.enum(['model', 'key', 'project', 'provider']),
      /** With `-`, descending. */
      sort: z.enum(SORTS).default('-spend'),
      ...page.pick({ cursor: true, limit: true }).shape,
    }),
    body: nothing,
    answer: z.strictObject({
      data: z.array(
        z.strictObject({
          /** The name of the model or provider, the id of the key or project. */
          id: z.string(),
          name: z.string(),
          totals: sumsOut,
        }),
      ),
      next_cursor: nextCursor,
      total_count: count,
    }),
  }),
  readChecklist: declare({
    method: 'GET',
    path: '/checklist',
    summary: 'Get the getting-started progress of a new account',
    needs: 'viewer',
    doors: ['dashboard', 'control'],
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({
      data: z.strictObject({
        /** The first call that has a record. */
        first_call: z
          .strictObject({
            call: z.string(),
            at: time,
            model: z.string(),
            cost: usdOut,
            first_byte_ms: z.number().nullable(),
            /** Null if only the settlement of the call is left. */
            duration_ms: z.number().nullable(),
          })
          .nullable(),
        /** Whether there is a provider besides the demo. */
        has_provider: z.boolean(),
        has_key: z.boolean(),
        /** Whether there is another member, or an open invitation. */
        has_invited: z.boolean(),
        /** A model to try; a real one if possible. */
        model: z.string().nullable(),
        since: timeOrNull,
      }),
    }),
  }),
};
