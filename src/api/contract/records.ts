/** Routes of the records of calls in all accounts, for an operator in a terminal. */
import * as z from 'zod';
import { METADATA_FILTER } from '../../core/call-labels.ts';
import { count, id, nothing, time, usdOrNull } from './fields.ts';
import { declare, forCommands } from './route.ts';

const attempt = z.strictObject({
  provider: z.string(),
  upstreamModel: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  /** As in `GET /calls/:call`; null for calls of older versions, as the next. */
  reason: z.string().nullable(),
  /** From the call's start. */
  startMs: z.number().nullable(),
  durationMs: z.number(),
});

const recordOut = z.strictObject({
  /** `gen-…`. */
  id: z.string(),
  admitted_at: time,
  key_id: id,
  project_id: id,
  operation: z.string(),
  dialect: z.string(),
  model: z.string(),
  provider: z.string(),
  streamed: z.boolean(),
  /** The HTTP status that the caller got; null if only the settlement of the call is left, as `duration_ms` and the sizes. */
  status: z.int().nullable(),
  ending: z.string(),
  error_code: z.string().nullable(),
  finish_reason: z.string().nullable(),
  prompt_tokens: count,
  completion_tokens: count,
  cached_tokens: count,
  reasoning_tokens: count,
  usage_source: z.string(),
  cost: usdOrNull,
  /** Parts per million of the cost that are charged. */
  rate: count,
  own_credential: z.boolean(),
  charge: usdOrNull,
  saved: usdOrNull,
  first_byte_ms: z.number().nullable(),
  duration_ms: z.number().nullable(),
  request_bytes: count.nullable(),
  response_bytes: count.nullable(),
  attempts: z.array(attempt),
  warnings: z.array(z.string()),
  user: z.string().nullable(),
  app: z.string().nullable(),
  referer: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  labels_cut: z.boolean(),
});

export const recordRoutes = {
  tailRecords: declare({
    ...forCommands,
    method: 'GET',
    path: '/records',
    summary:
      'List the most recent calls of all accounts, oldest first; with `since`, those that finished after an earlier response',
    params: nothing,
    query: z.strictObject({
      /** `gen-…`: only calls after this one. */
      after: z.string().max(100).optional(),
      /** The `sequence` of an earlier answer: calls that ended since, in the order in which they ended. */
      since: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(20),
      /** The user and the application that callers named; `metadata` as `name:value`. Searches the newest 1,000 calls. */
      user: z.string().max(256).optional(),
      app: z.string().max(128).optional(),
      metadata: z.string().regex(METADATA_FILTER).optional(),
    }),
    body: nothing,
    answer: z.strictObject({ data: z.array(recordOut), sequence: count }),
  }),
};
