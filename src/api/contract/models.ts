/** Routes of the models that this installation can serve; prices are in USD per million tokens. */
import * as z from 'zod';
import { count, nextCursor, nothing } from './fields.ts';
import { declare, forCommands } from './route.ts';

const target = z.strictObject({
  provider: z.string(),
  upstream_model: z.string(),
  dialects: z.array(z.string()),
  /** The effective one, known or assumed. */
  context_length: z.int(),
  context_length_assumed: z.boolean(),
  /** Null if answers have no limit. */
  max_completion_tokens: z.int().nullable(),
  max_completion_tokens_assumed: z.boolean(),
  /** Where the price is from. */
  price_origin: z.enum(['configured', 'pinned', 'unpinned', 'imported', 'built-in', 'unknown']),
  /** The day on which its provider ends it, such as 2027-01-31; null if it is not known. */
  retires: z.string().nullable(),
  /** USD as decimal text; null without a price. */
  price_per_million: z.strictObject({ prompt: z.string(), completion: z.string() }).nullable(),
  /** USD a piece as decimal text, by the unit's name; absent if nothing is charged by the piece. */
  units: z.record(z.string(), z.string()).optional(),
});

export const modelRoutes = {
  listOfferedModels: declare({
    ...forCommands,
    method: 'GET',
    path: '/offered-models',
    summary:
      'List available models and their providers; with `include_unserved=true` also models that only lack a provider',
    params: nothing,
    query: z.strictObject({
      include_unserved: z.enum(['true', 'false']).default('false'),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, 'it is `next_cursor` of the page before')
        .optional(),
    }),
    body: nothing,
    answer: z.strictObject({
      data: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          context_length: z.int().nullable(),
          max_completion_tokens: z.int().nullable(),
          targets: z.array(target),
          /** Environment variables of the providers that would serve it; empty for a model that is served. */
          needs: z.array(z.string()),
        }),
      ),
      next_cursor: nextCursor,
      total_count: count,
      /** Whether a model without a price is served. */
      serves_unpriced: z.boolean(),
    }),
  }),
};
