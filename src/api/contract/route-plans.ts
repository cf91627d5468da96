/** How a request with a key would be served, for the dashboard, which does not have the key's secret. */
import * as z from 'zod';
import { QUANTIZATIONS } from '../../core/routing/quantization.ts';
import { defaultCallerDialect, type RelayDialectName, relayDialects } from '../../dialects/index.ts';
import { accountQuery, usdOrNull } from './fields.ts';
import { plainInput } from './inputs/text-input.ts';
import { declare } from './route.ts';

/** The formats whose requests can say what decides about their route. */
const FORMATS = Object.values(relayDialects).flatMap(({ name, paths }) =>
  paths.some(({ plannedAt }) => plannedAt !== undefined) ? [name] : [],
) as [RelayDialectName, ...RelayDialectName[]];
const USUAL_FORMAT = FORMATS.find((name) => name === defaultCallerDialect.name) ?? FORMATS[0];
/** A longer request would have to be planned in several turns of the event loop. */
export const PROMPT_CHARACTERS_MAX = 1_000_000;
const OUTPUT_CAP_MAX = 10_000_000;
const MODELS_MAX = 16;
const PROVIDERS_MAX = 32;

const model = plainInput(200).trim().min(1);
const providers = z.array(plainInput(100).trim().min(1)).max(PROVIDERS_MAX);
/** US dollars per million tokens. */
const price = z.number().min(0).optional();

const named = {
  model: z.string(),
  provider: z.string(),
  upstream_model: z.string(),
  own_credential: z.boolean(),
};

/** Why a candidate comes later or is left out; the words are those of `POST /api/v1/route`. */
const reason = z.enum([
  'not_allowed',
  'ignored',
  'not_in_only',
  'no_fallback',
  'above_max_price',
  'lacks_parameter',
  'collects_data',
  'collects_data_unknown',
  'retains_data',
  'retains_data_unknown',
  'other_quantization',
  'quantization_unknown',
  'unpriced',
  'other_format',
  'tool_not_run',
  'resting',
  'credential_resting',
  'unaffordable',
  'cannot_express',
  'kept_elsewhere',
]);

export const routePlanOut = z.strictObject({
  model: z.string(),
  /** Why the request would be refused; null if it would not. */
  refusal: z.strictObject({ status: z.int(), code: z.string(), message: z.string() }).nullable(),
  max_attempts: z.int().meta({ description: 'At most this many candidates are tried.' }),
  max_cost: usdOrNull,
  /** In the order in which they are tried. */
  candidates: z.array(
    z.strictObject({
      ...named,
      translated: z.boolean().meta({ description: "Whether the provider speaks another format than the request's." }),
      resting: z.boolean().meta({ description: 'Whether it has failed lately, and so is tried last.' }),
      /** Null without a price, and for candidates beyond those that are tried. */
      max_cost: usdOrNull,
      later_because: z.array(reason).meta({ description: 'Why it comes later than in the catalogue.' }),
      warnings: z.array(z.string()).meta({ description: 'What of the request is lost in translation.' }),
    }),
  ),
  left_out: z.array(z.strictObject({ ...named, reason })),
});

export const routePlanRoutes = {
  planRoute: declare({
    method: 'POST',
    path: '/keys/:key/route',
    summary: 'How a request with this API key would be served; nothing is called, held, charged or counted',
    needs: 'viewer',
    doors: ['dashboard', 'management', 'control'],
    params: z.strictObject({ key: z.string().max(80) }),
    query: accountQuery,
    body: z.strictObject({
      format: z.enum(FORMATS).default(USUAL_FORMAT),
      /** An id, a bare name or an alias; with or without `:nitro` or `:floor`. */
      model,
      /** More models to try after it. */
      models: z.array(model).max(MODELS_MAX).default([]),
      provider: z
        .strictObject({
          order: providers.optional(),
          only: providers.optional(),
          ignore: providers.optional(),
          allow_fallbacks: z.boolean().optional(),
          sort: z.enum(['price', 'throughput', 'latency']).optional(),
          max_price: z.strictObject({ prompt: price, completion: price }).optional(),
          require_parameters: z.boolean().optional(),
          data_collection: z.enum(['allow', 'deny']).optional(),
          zdr: z.boolean().optional(),
          quantizations: z.array(z.enum(QUANTIZATIONS)).max(QUANTIZATIONS.length).optional(),
        })
        .nullish(),
      /** What requests call their conversation, such as in the header `x-session-id`. */
      conversation: plainInput(256).trim().nullish(),
      prompt_characters: z.int().min(0).max(PROMPT_CHARACTERS_MAX).default(1000),
      /** In tokens; null for a request without one. */
      output_cap: z.int().min(1).max(OUTPUT_CAP_MAX).nullish(),
    }),
    answer: z.strictObject({ data: routePlanOut }),
  }),
};
