/**
 * Own credentials (bring your own key), in the fields that OpenRouter's clients read and write
 * (https://openrouter.ai/docs/api/api-reference/byok), and our own in addition.
 */
import * as z from 'zod';
import { NAME_LENGTH_MAX } from '../../accounts/plain-text.ts';
import { OVERLAP_MS_MAX } from '../../byok/own-credential-registry.ts';
import { accountQuery, count, id, named, nothing, time, timeOrNull } from './fields.ts';
import { nameInput, plainInput } from './inputs/text-input.ts';
import { connectionReport, optionInputs, optionsOut, providerKindOut } from './providers.ts';
import { declare } from './route.ts';

const doors = ['dashboard', 'management', 'control'] as const;
const MODELS_MAX = 100;
const SECRET_LENGTH_MAX = 16_384;

export const ownCredentialOut = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** A kind of provider: `openai`, `anthropic`, … */
  provider: z.string(),
  /** Its last four characters, as `…wXyZ`; `…` if it is too short to show any. */
  label: z.string(),
  disabled: z.boolean(),
  /** `untested`, `good`, `rejected` by the provider, `limited` by it, `unreachable`. */
  standing: z.enum(['untested', 'good', 'rejected', 'limited', 'unreachable']),
  standing_at: timeOrNull,
  /** Why it cannot be used at all, and what to do; null if nothing is wrong. */
  problem: z.string().nullable(),
  /** `first`: before the operator's credentials. `only`: instead of them. */
  use: z.enum(['first', 'only']),
  /** Whether the operator's credentials may serve a call after this one failed. */
  fallback: z.boolean(),
  /** Null: all that the provider serves here. */
  allowed_models: z.array(z.string()).nullable(),
  base_url: z.string().nullable(),
  options: optionsOut,
  /** Null: for all projects of the account. */
  project: named.nullable(),
  /** Until when the secret before the last rotation is tried if the new one is refused. */
  previous_until: timeOrNull,
  created_at: time,
  updated_at: time,
  created_by: z.string(),
  /** OpenRouter's word for the project: its id as text. */
  workspace_id: z.string().nullable(),
  sort_order: z.int(),
  /** OpenRouter's: `use: only`, for the models it is for. */
  is_required: z.boolean(),
  /** OpenRouter's; always false, as every credential is used before the operator's. */
  is_fallback: z.literal(false),
  is_byok_only: z.literal(false),
  /** OpenRouter's; not supported here, always null. */
  allowed_api_key_hashes: z.null(),
  allowed_user_ids: z.null(),
  declared_zdr: z.null(),
});

const one = z.strictObject({ data: ownCredentialOut });
const params = z.strictObject({ credential: z.string().max(80) });
const secret = z.string().min(1).max(SECRET_LENGTH_MAX).meta({ description: 'Write-only.' });

/** What cannot be done here is refused, and never ignored. */
const openRouterOnly = {
  is_required: z.boolean().optional(),
  is_fallback: z.literal(false, "own credentials are always used before the operator's").optional(),
  is_byok_only: z.literal(false, 'use is_required, or use: only').optional(),
  allowed_api_key_hashes: z.null('limit it to a project instead').optional(),
  allowed_user_ids: z.null('limit it to a project instead').optional(),
  declared_zdr: z.null('data retention is not judged here').optional(),
};

/** The machine's own credentials are the operator's. `project` and accounts are ours here; those of a cloud have its name. */
const { region, location, api_version, project: google_project, account_id: cloudflare_account } = optionInputs;

const editable = {
  disabled: z.boolean().optional(),
  use: z.enum(['first', 'only']).optional(),
  fallback: z.boolean().optional(),
  /** Model ids, or prefixes with `*`; null: all. */
  allowed_models: z.array(plainInput(200)).min(1).max(MODELS_MAX).nullish(),
  /** Scheme, host and port, and a base path; null: the provider's. Only public https addresses, unless the operator allows others. */
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .nullish(),
  region,
  location,
  api_version,
  google_project,
  cloudflare_account,
  ...openRouterOnly,
};

export const byokRoutes = {
  listOwnProviders: declare({
    method: 'GET',
    path: '/byok-providers',
    summary: 'List providers for which own credentials can be stored',
    needs: 'viewer',
    doors,
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({ data: z.array(providerKindOut) }),
  }),
  listOwnCredentials: declare({
    method: 'GET',
    path: '/byok',
    summary: "List the account's own credentials for providers, in the order in which they are used",
    needs: 'viewer',
    doors,
    params: nothing,
    query: accountQuery.extend({
      provider: z.string().max(100).optional(),
      /** OpenRouter's: the id of a project; without it, all. */
      workspace_id: z.string().max(80).optional(),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    body: nothing,
    answer: z.strictObject({ data: z.array(ownCredentialOut), total_count: count }),
  }),
  createOwnCredential: declare({
    method: 'POST',
    path: '/byok',
    summary: 'Store an own credential for a provider; takes effect immediately',
    needs: 'admin',
    doors,
    params: nothing,
    query: accountQuery,
    body: z.strictObject({
      /** A provider here, or its name at OpenRouter (`amazon-bedrock`, `google-ai-studio`, `google-vertex`). */
      provider: z.string().max(100),
      key: secret,
      /** `<provider>`, `<provider> 2`, … by default. */
      name: nameInput.nullish(),
      /** Id or name; null: for all projects of the account. */
      project: z.union([id, z.string().max(NAME_LENGTH_MAX)]).nullish(),
      workspace_id: z.string().max(80).nullish(),
      ...editable,
    }),
    answer: one,
    status: 201,
    idempotent: true,
  }),
  readOwnCredential: declare({
    method: 'GET',
    path: '/byok/:credential',
    summary: 'Get an own credential',
    needs: 'viewer',
    doors,
    params,
    query: accountQuery,
    body: nothing,
    answer: one,
  }),
  updateOwnCredential: declare({
    method: 'PATCH',
    path: '/byok/:credential',
    summary: 'Update an own credential; a new `key` replaces the old one at once',
    needs: 'admin',
    doors,
    params,
    query: accountQuery,
    body: z.strictObject({ name: nameInput.nullish(), key: secret.optional(), ...editable }),
    answer: one,
  }),
  rotateOwnCredential: declare({
    method: 'POST',
    path: '/byok/:credential/rotate',
    summary: 'Replace the secret of an own credential, at once or with an overlap',
    needs: 'admin',
    doors,
    params,
    query: accountQuery,
    body: z.strictObject({
      key: secret,
      /** How long the old secret is tried if the new one is refused. */
      overlap_ms: z.int().min(0).max(OVERLAP_MS_MAX).default(0),
    }),
    answer: one,
  }),
  testOwnCredential: declare({
    method: 'POST',
    path: '/byok/:credential/test',
    summary: "Test an own credential by listing the provider's models, at no cost",
    needs: 'admin',
    doors,
    params,
    query: accountQuery,
    body: nothing,
    answer: connectionReport,
  }),
  deleteOwnCredential: declare({
    method: 'DELETE',
    path: '/byok/:credential',
    summary: 'Delete an own credential; its running calls finish',
    needs: 'admin',
    doors,
    params,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({ deleted: z.literal(true) }),
  }),
};
