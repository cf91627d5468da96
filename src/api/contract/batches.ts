/** Routes of batches: list, read, cancel. Callers make them with their keys, at OpenAI's paths. */
import * as z from 'zod';
import { BATCH_STATUSES } from '../../batches/ports.ts';
import { accountQuery, count, id, idText, named, nextCursor, nothing, time, timeOrNull, usdOrNull } from './fields.ts';
import { declare, forCommands } from './route.ts';

const doors = ['dashboard', 'management', 'control'] as const;
const status = z.enum(BATCH_STATUSES);
/** Which batches a list may be limited to: those of a status, all that have not ended, all that have. */
export const BATCH_FILTERS = [...BATCH_STATUSES, 'open', 'ended'] as const;

export const batchOut = z.strictObject({
  /** `batch_…`. */
  id: z.string(),
  status,
  /** The path that its lines are sent to. */
  endpoint: z.string(),
  project: named,
  /** The key that made it. */
  key: named,
  created_at: time,
  expires_at: time,
  in_progress_at: timeOrNull,
  /** When it was completed, failed, expired or cancelled. */
  ended_at: timeOrNull,
  /** 0 until its lines are counted, as the next. */
  total: count,
  completed: count,
  failed: count,
  /** Lines that were called and have to be called again. */
  waiting: count,
  /** The error code of the last of them; null if none waits. */
  waiting_for: z.string().nullable(),
  /** What its answers were charged; null until it has ended, and if it was not known then. */
  charge: usdOrNull,
  /** Null as `charge`, and if there were several. */
  model: z.string().nullable(),
  /** Whether whoever asks may cancel it now. */
  can_cancel: z.boolean(),
});

const wholeOut = batchOut.extend({
  cancelling_at: timeOrNull,
  finalizing_at: timeOrNull,
  input_file_id: z.string(),
  /** Null until it has ended, and if nothing is in it. */
  output_file_id: z.string().nullable(),
  error_file_id: z.string().nullable(),
  /** Of its answers; null as `charge`. */
  tokens: z
    .strictObject({
      input: count,
      /** The part of `input` that was read from a cache. */
      cached: count,
      output: count,
      /** The part of `output` that is reasoning. */
      reasoning: count,
    })
    .nullable(),
  /** Why its input was refused, at most a hundred. */
  errors: z.array(
    z.strictObject({
      code: z.string(),
      message: z.string(),
      param: z.string().nullable(),
      /** From 1; null if it is about the file. */
      line: z.int().nullable(),
    }),
  ),
  /** As its caller sent it. */
  metadata: z.record(z.string(), z.string()).nullable(),
});

const filters = {
  project: idText.optional(),
  key: idText.optional(),
  /** A status, or `open` or `ended` for all of those. */
  status: z.enum(BATCH_FILTERS).optional(),
  /** `next_cursor` of the previous page. */
  cursor: z.string().max(200).optional(),
};
const one = z.strictObject({ data: wholeOut });
const params = z.strictObject({ batch: z.string().max(80) });

export const batchRoutes = {
  listAccountBatches: declare({
    method: 'GET',
    // Callers make theirs at `/batches`.
    path: '/account-batches',
    summary: 'List batches of the account that were made in the last 90 days or have not ended, newest first',
    needs: 'viewer',
    doors,
    params: nothing,
    query: accountQuery.extend({ ...filters, limit: z.coerce.number().int().min(1).max(200).default(50) }),
    body: nothing,
    answer: z.strictObject({ data: z.array(batchOut), next_cursor: nextCursor }),
  }),
  listAllBatches: declare({
    ...forCommands,
    method: 'GET',
    path: '/all/batches',
    summary: 'List batches of all accounts, newest first; with `reference`, the one with this id',
    params: nothing,
    query: z.strictObject({
      reference: z.string().max(200).optional(),
      account: id.or(idText).optional(),
      ...filters,
      limit: z.coerce.number().int().min(1).max(200).default(200),
    }),
    body: nothing,
    answer: z.strictObject({ data: z.array(batchOut.extend({ account: named })), next_cursor: nextCursor }),
  }),
  readAccountBatch: declare({
    method: 'GET',
    path: '/account-batches/:batch',
    summary: 'Get a batch with its files, the tokens of its answers and the errors of its input',
    needs: 'viewer',
    doors,
    params,
    query: accountQuery,
    body: nothing,
    answer: one,
  }),
  cancelAccountBatch: declare({
    method: 'POST',
    path: '/account-batches/:batch/cancel',
    summary: 'Cancel a batch: lines that run end, no more begin, and its results so far are kept',
    needs: 'developer',
    doors,
    params,
    query: accountQuery,
    body: nothing,
    answer: one,
  }),
};
