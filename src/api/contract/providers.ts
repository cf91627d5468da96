/** Routes of the catalogue, for everybody, and of providers, for operators. */
import * as z from 'zod';
import { MODALITIES } from '../../catalog/model.ts';
import { isUnitName, UNIT_KINDS, UNIT_PRICES_MAX } from '../../core/units/units.ts';
import { serverDialectNames } from '../../dialects/index.ts';
import { CREDENTIAL_SOURCES } from '../../providers/provider-options.ts';
import { accountQuery, count, done, nothing, time, timeOrNull } from './fields.ts';
import { healthOut } from './health.ts';
import { plainInput } from './inputs/text-input.ts';
import { declare, forCommands } from './route.ts';

const operator = { needs: 'operator', doors: ['dashboard', 'control'], query: nothing } as const;
const one = z.strictObject({ provider: z.string().max(100) });
const dialect = z.enum(serverDialectNames);
/** USD for one, as decimal text, by name. */
const unitPrices = z
  .record(z.string().max(150), z.string().regex(/^\d{1,7}(\.\d{1,12})?$/, 'a price is USD for one, like "0.04"'))
  .refine(
    (units) => Object.keys(units).every(isUnitName),
    `a unit is one of ${UNIT_KINDS.join(', ')}, with or without a class`,
  )
  .refine((units) => Object.keys(units).length <= UNIT_PRICES_MAX, `it has at most ${UNIT_PRICES_MAX} units`)
  .meta({ maxProperties: UNIT_PRICES_MAX });
/** USD per million tokens, as decimal text. */
const perMillion = z.string().regex(/^\d{1,7}(\.\d{1,6})?$/, 'a price is USD per million tokens, like "2.50"');

export const catalogModelOut = z.strictObject({
  id: z.string(),
  name: z.string(),
  created: z.int(),
  context_length: z.int().nullable(),
  output_cap: z.int().nullable(),
  input_modalities: z.array(z.string()),
  output_modalities: z.array(z.string()),
  supported_parameters: z.array(z.string()),
  /** The providers that serve it here, the first choice first. */
  providers: z.array(z.string()),
  /** Prices of the first choice, USD per million tokens as decimal text; null without a price. */
  pricing: z.strictObject({
    input: z.string().nullable(),
    output: z.string().nullable(),
    cache_read: z.string().nullable(),
    cache_write: z.string().nullable(),
    /** Of images that are read, and of images and sound in an answer; absent if they cost what other tokens do. */
    input_image: z.string().optional(),
    output_image: z.string().optional(),
    output_audio: z.string().optional(),
    /** USD a piece, by the unit's name; absent if nothing is charged by the piece. */
    units: z.record(z.string(), z.string()).optional(),
  }),
  /** The day on which the first choice's provider ends it, such as 2027-01-31; null if it is not known. */
  retires: z.string().nullable(),
  /** Whether it can be called: it has a price, or needs none. */
  is_usable: z.boolean(),
  /** Time to first byte of the account's own calls in the last 7 days; null without calls. */
  first_byte_p50_ms: z.number().nullable(),
  calls_7d: count,
  /** Of the first choice, in the last 10 minutes, for all accounts: median time to the first token of a stream, and tokens per second after it. */
  first_token_p50_ms: z.number().nullable(),
  tokens_per_second: z.number().nullable(),
});

const modalities = z.array(z.enum(MODALITIES)).min(1).max(MODALITIES.length);

/** A model of a provider: a new one, or different prices for a known one. */
const modelInput = z.strictObject({
  /** The provider's name for it. */
  upstream: plainInput(200).trim().min(1),
  /** `<vendor>/<name>`; by default the known id, otherwise `<provider>/<upstream>`. */
  id: plainInput(200).trim().min(1).nullish(),
  name: plainInput(200).nullish(),
  context_length: z.int().min(1).nullish(),
  output_cap: z.int().min(1).nullish(),
  /** Null: the known price, otherwise none. */
  price: z
    .union([
      z.literal('free'),
      z.strictObject({
        input: perMillion,
        output: perMillion,
        cache_read: perMillion.optional(),
        cache_write: perMillion.optional(),
        /** Of images that are read; by default that of `input`. */
        input_image: perMillion.optional(),
        /** USD for one of what is not counted in tokens, by name: `image/1024x1024/high`, `character`. */
        units: unitPrices.optional(),
      }),
    ])
    .nullish(),
  /** Input and output types; by default the known ones, otherwise text. */
  input_modalities: modalities.nullish(),
  output_modalities: modalities.nullish(),
});

export const optionsOut = z.strictObject({
  region: z.string().optional(),
  project: z.string().optional(),
  location: z.string().optional(),
  api_version: z.string().optional(),
  account_id: z.string().optional(),
  credential_from: z.string().optional(),
});

export const providerOut = z.strictObject({
  name: z.string(),
  kind: z.string(),
  display_name: z.string(),
  /** As entered, with its base path; without it for providers in the configuration. */
  origin: z.string(),
  /** Options of its kind that are set. */
  options: optionsOut,
  dialects: z.array(z.string()),
  /** The URL of a call in each of `dialects`; empty if it cannot be called. */
  calls_to: z.array(z.string()),
  /** The address of its proxy, without a password; null for a direct connection. */
  proxy: z.string().nullable(),
  /** Models that it serves here. */
  models: count,
  /**
   * `dashboard` ones, which the command line and the management API can also add, can be changed here; the others are read-only, because
   * they come from a file or a variable.
   */
  source: z.enum(['file', 'environment', 'dashboard', 'built-in']),
  is_enabled: z.boolean(),
  /** A dashboard provider with the same name as one in the configuration: that one is used instead, and this one is read-only. */
  is_shadowed: z.boolean(),
  /** Why it serves nothing, and what to do; null if nothing is wrong. */
  problem: z.string().nullable(),
  /** Whether it has a credential, wherever it is stored. */
  has_credential: z.boolean(),
  /** It is only called with own credentials of accounts and projects. */
  own_credentials_only: z.boolean(),
  /** The last four characters of the credential; null if there is none, it is too short, or it is not stored here. */
  credential_hint: z.string().nullable(),
  /** All of them; calls take turns with those that do not rest. Empty if it has none, or is not in use. */
  credentials: z.array(
    z.strictObject({
      /** Of a further one, by which it is removed; null for the first, and for those of the configuration. */
      id: z.string().nullable(),
      /** Its last four characters; null if it is too short to show any, or fetched from elsewhere. */
      hint: z.string().nullable(),
      /** `rejected`: the provider refused it, or its account has no credit; it is tried again after each rest. */
      state: z.enum(['ready', 'rejected']),
      /** Models that the provider refused it for, besides (403). */
      rejected_for: z.array(z.string()),
      rests_until: timeOrNull,
      created_at: timeOrNull,
    }),
  ),
  created_at: time.nullable(),
  model_settings: z.array(modelInput),
  /** Its health; null if it is not in use: disabled, shadowed, or with a problem. */
  health: z.union([healthOut, z.null()]),
});

export const connectionReport = z.strictObject({
  data: z.strictObject({
    ok: z.boolean(),
    status: z.int().nullable(),
    models: z.int().nullable(),
    /** Its own names of its models, up to 500. */
    model_names: z.array(z.string()),
    duration_ms: z.number(),
    /** What is wrong and what to do; null if nothing is. */
    problem: z.string().nullable(),
    /** Every credential was tested by itself, in the order of their numbers; empty if it needs none. */
    credentials: z.array(
      z.strictObject({
        /** Its last four characters; null if it is too short to show any, or fetched from elsewhere. */
        hint: z.string().nullable(),
        ok: z.boolean(),
        status: z.int().nullable(),
        duration_ms: z.number(),
        problem: z.string().nullable(),
      }),
    ),
  }),
});

export const providerKindOut = z.strictObject({
  kind: z.string(),
  display_name: z.string(),
  origin: z.string().nullable(),
  needs_credential: z.boolean(),
  /** An address to show, if every customer has another one. */
  origin_example: z.string().nullable(),
  /** What an entry says besides address and credential. */
  options: z.array(
    z.strictObject({
      name: z.string(),
      is_required: z.boolean(),
      example: z.string(),
      values: z.array(z.string()).nullable(),
    }),
  ),
  documentation: z.string(),
  dialects: z.array(z.string()),
});

const option = z.string().trim().max(100).nullish();

/** Options of single kinds; empty or null for none. */
export const optionInputs = {
  /** Of `bedrock`, such as `us-east-1`. */
  region: option,
  /** Of `vertex`; by default that of the service account. */
  project: option,
  /** Of `vertex`, such as `global`. */
  location: option,
  /** Of `azure`; by default the v1 API, which needs none. */
  api_version: option,
  /** Of `cloudflare`: the id of the account there. */
  account_id: option,
  /** Of `bedrock`: where keys are fetched from, instead of `credential`. */
  credential_from: z.enum(CREDENTIAL_SOURCES).nullish(),
};

const providerInput = {
  /** Scheme, host and port, and a base path if there is one; null to use the kind's. */
  origin: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .nullish(),
  ...optionInputs,
  /** Write-only. */
  credential: z.string().min(1).max(16_384).nullish(),
  /** The dialects that a custom server speaks. */
  dialects: z.array(dialect).min(1).max(10).optional(),
  /** Only called with own credentials of accounts and projects; requires that it has none itself. */
  own_credentials_only: z.boolean().optional(),
  is_enabled: z.boolean().optional(),
  model_settings: z.array(modelInput).max(500).optional(),
};

export const providerRoutes = {
  listCatalog: declare({
    method: 'GET',
    path: '/catalog',
    summary: 'List models available to the account',
    needs: 'viewer',
    doors: ['dashboard', 'management', 'control'],
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({ data: z.array(catalogModelOut) }),
  }),
  listProviderKinds: declare({
    ...operator,
    method: 'GET',
    path: '/provider-kinds',
    summary: 'List provider types that can be added',
    params: nothing,
    body: nothing,
    answer: z.strictObject({
      data: z.array(providerKindOut),
    }),
  }),
  listProviders: declare({
    ...operator,
    method: 'GET',
    path: '/providers',
    summary: 'List providers of this installation',
    params: nothing,
    body: nothing,
    answer: z.strictObject({ data: z.array(providerOut) }),
  }),
  createProvider: declare({
    ...operator,
    method: 'POST',
    path: '/providers',
    summary: 'Add a provider; takes effect immediately',
    params: nothing,
    body: z.strictObject({
      name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'a name has small letters, digits, and . _ - within'),
      kind: z.string().max(100),
      ...providerInput,
    }),
    answer: z.strictObject({ data: providerOut }),
    status: 201,
    idempotent: true,
  }),
  updateProvider: declare({
    ...operator,
    method: 'PATCH',
    path: '/providers/:provider',
    summary: 'Update a provider; running calls keep the settings they started with',
    params: one,
    body: z.strictObject(providerInput),
    answer: z.strictObject({ data: providerOut }),
  }),
  deleteProvider: declare({
    ...operator,
    method: 'DELETE',
    path: '/providers/:provider',
    summary: 'Remove a provider; its running calls finish',
    params: one,
    body: nothing,
    answer: done,
  }),
  addProviderCredential: declare({
    ...operator,
    method: 'POST',
    path: '/providers/:provider/credentials',
    summary: 'Add a further credential to a provider; calls take turns with all of them',
    params: one,
    body: z.strictObject({
      /** Write-only. */
      credential: z.string().min(1).max(16_384),
    }),
    answer: z.strictObject({ data: providerOut }),
    status: 201,
  }),
  removeProviderCredential: declare({
    ...operator,
    method: 'DELETE',
    path: '/providers/:provider/credentials/:credential',
    summary: 'Remove a further credential of a provider; running calls keep it',
    params: z.strictObject({ provider: z.string().max(100), credential: z.string().max(100) }),
    body: nothing,
    answer: z.strictObject({ data: providerOut }),
  }),
  testProvider: declare({
    ...operator,
    method: 'POST',
    path: '/providers/:provider/test',
    summary: 'Test a provider by listing its models, at no cost',
    params: one,
    body: nothing,
    answer: connectionReport,
  }),
  readConnection: declare({
    ...forCommands,
    method: 'GET',
    path: '/providers/:provider/connection',
    summary: 'Test a provider without changing its health',
    params: one,
    query: nothing,
    body: nothing,
    answer: connectionReport,
  }),
  tryProvider: declare({
    ...operator,
    method: 'POST',
    path: '/provider-tests',
    summary: 'Test a provider before adding it',
    params: nothing,
    body: z.strictObject({
      kind: z.string().max(100),
      origin: providerInput.origin,
      ...optionInputs,
      credential: providerInput.credential,
      dialects: providerInput.dialects,
      own_credentials_only: providerInput.own_credentials_only,
    }),
    answer: connectionReport,
  }),
};
