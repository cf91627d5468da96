/** Routes of the prices of models, for operators: where they are from, their versions, imports and pins. */
import * as z from 'zod';
import { count, nothing, timeOrNull } from './fields.ts';
import { declare } from './route.ts';

const operator = { needs: 'operator', doors: ['dashboard', 'control'] } as const;
const name = z.string().min(1).max(300);
/** As in `prices` of turnpike.yaml, as decimal text: USD per million tokens, or per call, search or container; absent lines have no price of their own. */
const priceLines = z.record(z.string(), z.unknown());
const pricesOrNull = priceLines.nullable();
/** A date like 2027-01-31; null if it is not known. */
const dateOrNull = z.string().nullable();
const ROWS_MAX = 2_000;
const LINES_MAX = 40;
const pricesInput = priceLines
  .refine((lines) => Object.keys(lines).length <= LINES_MAX, `it has at most ${LINES_MAX} fields`)
  .meta({ maxProperties: LINES_MAX });

const state = z.strictObject({ prices: pricesOrNull, retires: dateOrNull });

const listed = z.strictObject({
  model: z.string(),
  provider: z.string(),
  upstream_model: z.string(),
  prices: pricesOrNull,
  /** Where the prices are from. */
  origin: z.enum(['configured', 'pinned', 'unpinned', 'imported', 'built-in', 'unknown']),
  /** The format of the table, or `pin`, of an imported or pinned price. */
  source: z.string().nullable(),
  changed_at: timeOrNull,
  price_version: z.int().nullable(),
  retires: dateOrNull,
});

const change = z.strictObject({
  provider: z.string(),
  upstream_model: z.string(),
  before: state,
  after: state,
  /** Names of prices that the table lacks and that stay. */
  kept: z.array(z.string()),
  /** Why a person should check it first; null for an ordinary change. */
  suspicion: z.string().nullable(),
  /** The configuration has a price of the model there, which comes first: the change has no effect while it does. */
  overridden: z.boolean(),
});

export const modelPriceRoutes = {
  listModelPrices: declare({
    ...operator,
    method: 'GET',
    path: '/model-prices',
    summary: 'List the prices of a model at its providers, where they are from, and their versions',
    params: nothing,
    query: z.strictObject({
      /** Required; asked for after the rights are judged. */
      model: name.optional(),
    }),
    body: nothing,
    answer: z.strictObject({
      data: z.array(listed),
      /** Newest first. */
      versions: z.array(
        z.strictObject({
          id: z.int(),
          provider: z.string(),
          upstream_model: z.string(),
          prices: priceLines,
          created_at: timeOrNull,
        }),
      ),
    }),
  }),
  importModelPrices: declare({
    ...operator,
    method: 'POST',
    path: '/model-prices/import',
    summary: 'Import prices of models that are in the catalogue, or show what would change; pinned ones are left',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      /** Rows of Turnpike's own table: `provider` (a kind, or a name), `model` (its name there), prices as in turnpike.yaml, `retires`. */
      prices: z.array(z.unknown()).max(ROWS_MAX),
      /** What the rows were read from, for the audit log. */
      source: z.string().min(1).max(40).default('turnpike'),
      dry_run: z.boolean().default(false),
      /** Accept changes by more than 10 times, and prices that become 0. */
      allow_suspicious: z.boolean().default(false),
    }),
    answer: z.strictObject({
      data: z.strictObject({
        changes: z.array(change),
        unchanged: count,
        pinned: count,
        unknown: count,
        /** Whether the changes are in effect. */
        is_done: z.boolean(),
      }),
    }),
  }),
  pinModelPrices: declare({
    ...operator,
    method: 'POST',
    path: '/model-prices/pin',
    summary: 'Fix the prices of a model at a provider, so that imports leave them; or let imports change them again',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      /** A kind of provider, or the name of one. */
      provider: name,
      upstream_model: name,
      /** By default the prices that apply now. Those without `input` and `output` are added to what applies of tokens, and replace the units. */
      prices: pricesInput.optional(),
      /** A price version of the model, in place of `prices`. */
      version: z.int().min(1).optional(),
      pinned: z.boolean().default(true),
      /** Remove what was pinned and imported, so that the built-in price applies again; with `pinned` false, and without prices. */
      built_in: z.boolean().default(false),
    }),
    answer: z.strictObject({ data: change }),
  }),
};
