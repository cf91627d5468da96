/** Routes of the health of providers, and of models that do not answer. */
import * as z from 'zod';
import { HEALTH_STATES } from '../../telemetry/health-state.ts';
import { accountQuery, count, nothing, time, timeOrNull } from './fields.ts';
import { declare } from './route.ts';

const state = z.enum(HEALTH_STATES);

/** Calls since the server started; failures that are not the provider's fault are left out. */
const figures = {
  state,
  /** When the state began; null for `unknown`. */
  since: timeOrNull,
  last_good_at: timeOrNull,
  last_failure: z.union([
    z.strictObject({
      at: time,
      /** As in a call's attempts. */
      code: z.string(),
      /** The provider's HTTP status; null if there was no answer. */
      status: z.int().nullable(),
      /** What happened, and what to do if known. */
      reason: z.string(),
    }),
    z.null(),
  ]),
  /** In the last five minutes, like the shares. */
  good: count,
  failed: count,
  /** Calls that the provider rate limited (429): they do not count as failed. */
  limited: count,
  /** Since the last good one, regardless of the time. */
  failed_in_a_row: count,
  /** Failed ÷ (good + failed), 0 to 1; null without any. */
  error_rate: z.number().nullable(),
  /** From the request to the provider to its first byte, of the last 64 good calls; null before the first. */
  first_byte_p50_ms: z.number().nullable(),
  first_byte_p95_ms: z.number().nullable(),
  /** From the request to the provider to the first output, of the last 64 good streams of 10 minutes; null without one. */
  first_token_p50_ms: z.number().nullable(),
  first_token_p95_ms: z.number().nullable(),
  /** Median of the output tokens per second of these streams, from the first token on. */
  tokens_per_second: z.number().nullable(),
};

export const healthOut = z.strictObject(figures);

export const healthRoutes = {
  readProviderHealth: declare({
    needs: 'operator',
    doors: ['dashboard', 'control'],
    method: 'GET',
    path: '/providers/:provider/health',
    summary: 'Get the health of a provider and its models since the server started',
    params: z.strictObject({ provider: z.string().max(100) }),
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      /** The node that answers, whose calls these figures are of; null without a database that several can share. */
      node: z.string().nullable(),
      data: z.strictObject({
        /** Null if it is not in use: disabled, shadowed, or with a problem. */
        health: z.union([healthOut, z.null()]),
        /** Models that were called, in order of id. */
        models: z.array(
          z.strictObject({
            model: z.string(),
            ...figures,
            /** Calls of this model pass it over until then, if another provider serves it; null if it does not rest. */
            rests_until: timeOrNull,
          }),
        ),
      }),
    }),
  }),
  listFailingModels: declare({
    method: 'GET',
    path: '/failing-models',
    summary: 'List models used in the last 7 days that are now failing at every provider',
    needs: 'viewer',
    doors: ['dashboard', 'management', 'control'],
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({
      data: z.array(z.strictObject({ model: z.string(), state: z.enum(['failing', 'dead']), since: timeOrNull })),
    }),
  }),
};
