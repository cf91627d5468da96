/** Routes of calls: list, follow live, read one. */
import * as z from 'zod';
import { METADATA_FILTER } from '../../core/call-labels.ts';
import {
  accountQuery,
  boundIn,
  count,
  done,
  format,
  named,
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

const ending = z.enum([
  'complete',
  'empty',
  'caller_left',
  'caller_slow',
  'upstream_failed',
  'upstream_timeout',
  'refused_upstream',
  'drained',
  'key_cut',
  'gateway_failed',
  'gateway_crashed',
]);

export const callOut = z.strictObject({
  /** `gen-…`. */
  id: z.string(),
  at: time,
  model: z.string(),
  provider: z.string(),
  key: named,
  project: named,
  streamed: z.boolean(),
  /** The HTTP status that the caller got; null if only the settlement of the call is left. */
  status: z.int().nullable(),
  ending,
  error: z.string().nullable(),
  prompt_tokens: count,
  completion_tokens: count,
  charge: usdOut,
  first_byte_ms: z.number().nullable(),
  /** Null as above. */
  duration_ms: z.number().nullable(),
  has_warnings: z.boolean(),
  /** Answered from the response cache. */
  cached: z.boolean(),
  /** The user and the application that the caller named; otherwise null. */
  user: z.string().nullable(),
  app: z.string().nullable(),
});

const filters = accountQuery.extend({
  /** The time range; `to` is not included. */
  from: boundIn.optional(),
  to: boundIn.optional(),
  /** `ok`, `failed`, a class (`4xx`) or a status (`429`). */
  status: z
    .string()
    .regex(/^(ok|failed|[2-5]xx|[1-5]\d\d)$/)
    .optional(),
  ending: ending.optional(),
  model: z.string().max(300).optional(),
  provider: z.string().max(100).optional(),
  key: z.coerce.number().int().optional(),
  project: z.coerce.number().int().optional(),
  streamed: z.enum(['true', 'false']).optional(),
  /** USD. */
  min_charge: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/)
    .optional(),
  min_duration_ms: z.coerce.number().int().min(0).optional(),
  /** Exact values, as in calls; `metadata` as `name:value`. */
  user: z.string().max(256).optional(),
  app: z.string().max(128).optional(),
  metadata: z.string().regex(METADATA_FILTER).optional(),
});

export const callRoutes = {
  listCalls: declare({
    method: 'GET',
    path: '/calls',
    summary: 'List calls that have a record, newest first',
    needs: 'viewer',
    doors,
    params: nothing,
    query: filters.extend({ ...page.pick({ cursor: true, limit: true }).shape, format }),
    body: nothing,
    answer: z.strictObject({
      data: z.array(callOut),
      next_cursor: nextCursor,
      /** How far back the search got before its time limit; null if the page is full or the end was reached. */
      searched_to: timeOrNull,
    }),
    also: 'text/csv',
  }),
  followCalls: declare({
    method: 'GET',
    path: '/calls/live',
    summary: 'Follow calls as they finish: server-sent events `call`, each with one call, and `ping`',
    needs: 'viewer',
    doors: ['dashboard'],
    params: nothing,
    query: filters.omit({ from: true, to: true }),
    body: nothing,
    answer: callOut,
    also: 'text/event-stream',
  }),
  listRefusals: declare({
    method: 'GET',
    path: '/calls/refused',
    summary: 'List the most recent requests refused before they became calls, which leave no record',
    needs: 'viewer',
    doors,
    params: nothing,
    query: accountQuery.extend({ key: z.coerce.number().int().optional() }),
    body: nothing,
    answer: z.strictObject({
      /** Newest first, at most 100. */
      data: z.array(
        z.strictObject({
          at: time,
          key: named,
          project: named,
          /** As the caller wrote it; null if the body was not read. */
          model: z.string().nullable(),
          status: z.int(),
          code: z.string(),
          request_id: z.string(),
        }),
      ),
      /** When the server started: refusals are kept in memory only. */
      since: time,
    }),
  }),
  readCall: declare({
    method: 'GET',
    path: '/calls/:call',
    summary: 'Get a call with its attempts, tokens, price lines, warnings and timings',
    needs: 'viewer',
    doors,
    params: z.strictObject({ call: z.string().max(100) }),
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({
      data: callOut.extend({
        /** `req_…`, as in the header `x-request-id` (`request-id` on Anthropic routes). */
        request_id: z.string(),
        /**
         * The node that served it, or `slot <n>` if its node has registered again since; null without several nodes, for who is not an operator,
         * and if only the settlement is left.
         */
        node: z.string().nullable(),
        /** The model as the client wrote it, such as an alias; null if that is the id of `model`. */
        asked_model: z.string().nullable(),
        operation: z.string(),
        dialect: z.string().nullable(),
        upstream_dialect: z.string().nullable(),
        upstream_id: z.string().nullable(),
        finish_reason: z.string().nullable(),
        usage_source: z.string(),
        tokens: z.strictObject({
          input: count,
          cache_read: count,
          cache_write: count,
          cache_write_1h: count,
          input_audio: count,
          output: count,
          output_audio: count,
          cached_audio: count,
          input_image: count,
          output_image: count,
          reasoning: count,
          web_searches: count,
          file_searches: count,
          code_containers: count,
          /** Of what is not counted in tokens, such as images; `price_lines` says of what. */
          units: count,
        }),
        /** The lines of the cost, at the pinned prices; empty without a price. */
        price_lines: z.array(
          z.strictObject({
            name: z.string(),
            units: count,
            /** USD per million units, as decimal text. */
            price_per_million: z.string(),
            cost: usdOut,
          }),
        ),
        /** At the pinned list prices. */
        cost: usdOrNull,
        /** Parts per million of the cost that are charged: 1,000,000 without a markup. */
        rate: count,
        /** Whether an own credential of the account or project served it. */
        own_credential: z.boolean(),
        held: usdOrNull,
        /** What the operator absorbs. */
        fault: usdOut,
        variance: usdOut,
        /** Of a settlement that arrived after its node's lease was over. */
        node_loss: usdOut,
        /** Whether nobody is charged because its node was lost, and another call has its idempotency key or its line of a batch. */
        superseded: z.boolean(),
        /** USD not charged because the answer came from the response cache. */
        saved: usdOut,
        refunded: usdOut,
        attempts: z.array(
          z.strictObject({
            provider: z.string(),
            upstream_model: z.string(),
            status: z.int().nullable(),
            /** Our code, if it failed. */
            error: z.string().nullable(),
            /**
             * `first`; `fallback`, after one that failed; `again`, at the same one. Otherwise it was not tried, because it is `unaffordable`
             * or its format `cannot_express` the request. Null for calls of older versions, as the next two.
             */
            reason: z.string().nullable(),
            /** From the call's start. */
            start_ms: z.number().nullable(),
            end_ms: z.number().nullable(),
            duration_ms: z.number(),
          }),
        ),
        warnings: z.array(z.string()),
        /** The URL of the application, without a query. */
        referer: z.string().nullable(),
        metadata: z.record(z.string(), z.string()),
        /** Whether the caller sent more labels than are stored. */
        labels_cut: z.boolean(),
        /** Null if only the settlement is left, as the next. */
        request_bytes: count.nullable(),
        response_bytes: count.nullable(),
        /** Whether bodies of the call are stored: see `/calls/:call/bodies`. */
        has_bodies: z.boolean(),
      }),
    }),
  }),
  readBodies: declare({
    method: 'GET',
    path: '/calls/:call/bodies',
    summary: 'Get the stored prompt and response of a call, if the account stores them',
    needs: 'developer',
    doors,
    params: z.strictObject({ call: z.string().max(100) }),
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({
      data: z.strictObject({
        request: z.string().nullable(),
        request_truncated: z.boolean(),
        response: z.string().nullable(),
        response_truncated: z.boolean(),
        kept_until: time,
      }),
    }),
  }),
  deleteBodies: declare({
    method: 'DELETE',
    path: '/calls/:call/bodies',
    summary: 'Delete the stored prompt and response of a call',
    needs: 'admin',
    doors,
    params: z.strictObject({ call: z.string().max(100) }),
    query: accountQuery,
    body: nothing,
    answer: done,
  }),
};
