/**
 * Keys, in the fields that OpenRouter's provisioning clients read (https://openrouter.ai/docs/api/api-reference/api-keys), and our own in
 * addition.
 */
import * as z from 'zod';
import { GRACE_MS_MAX } from '../../accounts/keys.ts';
import { ORIGIN_LENGTH_MAX, ORIGINS_MAX } from '../../accounts/origins.ts';
import { NAME_LENGTH_MAX } from '../../accounts/plain-text.ts';
import { CACHE_SECONDS_MAX } from '../../response-cache/cache-wish.ts';
import {
  accountQuery,
  count,
  format,
  id,
  idText,
  limitsOut,
  named,
  nextCursor,
  nothing,
  permissionsOut,
  restrictedOut,
  time,
  timeIn,
  timeOrNull,
  usdOrNull,
  usdOut,
} from './fields.ts';
import { limitsInput, permissionsInput } from './inputs/limits-input.ts';
import { nameInput } from './inputs/text-input.ts';
import { madeOut, revocationOut, withMade } from './made.ts';
import { declare, forCommands } from './route.ts';

const reset = z.enum(['daily', 'weekly', 'monthly']).nullable();
const kind = z.enum(['inference', 'management']);
const status = z.enum(['active', 'retiring', 'revoked', 'expired', 'disabled', 'archived']);

export const keyOut = z.strictObject({
  /** How OpenRouter's clients identify a key. Every route takes it, or `id`. */
  hash: z.string(),
  id,
  /** The first key of a chain of rotations; spending is counted there. */
  root_id: id,
  name: z.string(),
  /** The secret's prefix and its last four characters. */
  label: z.string(),
  kind,
  status,
  disabled: z.boolean(),
  project: named,
  created_at: time,
  updated_at: timeOrNull,
  created_by: z.string().nullable().meta({ description: 'The name of its creator, if known.' }),
  creator_user_id: z.string().nullable(),
  /** OpenRouter's; always null here. */
  external_user: z.null(),
  /** The UTC day it was last used; null if never. */
  last_used_at: timeOrNull,
  expires_at: timeOrNull,
  retiring_at: timeOrNull,
  revoked_at: timeOrNull,
  /** USD: of the key's own budgets, the one with the least remaining. */
  limit: usdOrNull,
  limit_remaining: usdOrNull,
  limit_reset: reset,
  include_byok_in_limit: z.boolean(),
  usage: usdOut,
  usage_daily: usdOut,
  usage_weekly: usdOut,
  usage_monthly: usdOut,
  /** What calls with own credentials cost at list prices. */
  byok_usage: usdOut,
  byok_usage_daily: usdOut,
  byok_usage_weekly: usdOut,
  byok_usage_monthly: usdOut,
  /** OpenRouter's word for the project: its id as text. */
  workspace_id: z.string(),
  limits: limitsOut,
  permissions: permissionsOut,
  /** For how many seconds the answers to its calls are kept for equal requests; null if only those that ask for it. */
  cache_seconds: z.int().nullable(),
  /** The pages that may use it and read its answers (CORS), like https://app.example.com; null if none may. */
  origins: z.array(z.string()).nullable(),
  restricted: restrictedOut,
});

/** Earlier secrets of a rotated key. */
const predecessors = z
  .array(z.strictObject({ id, label: z.string(), status }))
  .meta({ description: 'Its earlier secrets that still worked: the change applies to them as well.' });

const oneKey = z.strictObject({ data: keyOut });
const madeKey = z.strictObject({
  data: keyOut,
  key: z.string().meta({ description: 'The secret, returned only once.' }),
});
const keyParams = z.strictObject({ key: z.string().max(80) });

/** OpenRouter's single budget, as its clients write it: a number of USD, and its reset interval. */
const openRouterBudget = {
  /** USD; null for none. Refused together with `limits.budgets`. */
  limit: z.number().min(0).nullable().optional(),
  limit_reset: reset.optional(),
  include_byok_in_limit: z.boolean().optional(),
};

/** For how many seconds the answers to its calls are kept for equal requests; null for only those that ask for it. */
const cacheSeconds = z.int().min(1).max(CACHE_SECONDS_MAX).nullish();

/** Pages that may use the key; null for none. Inference keys only. */
const origins = z.array(z.string().max(ORIGIN_LENGTH_MAX)).min(1).max(ORIGINS_MAX).nullish();

const createKeyBody = z.strictObject({
  /** `Key <n>` by default. */
  name: nameInput.nullish(),
  /** Id or name; by default the oldest one of the account. */
  project: z.union([id, z.string().max(NAME_LENGTH_MAX)]).nullish(),
  kind: kind.default('inference'),
  expires_at: timeIn.nullish(),
  limits: limitsInput.default({}),
  permissions: permissionsInput.default({}),
  cache_seconds: cacheSeconds,
  origins,
  ...openRouterBudget,
  /** OpenRouter's: the caller's own id only, and the project's id. */
  creator_user_id: z.string().max(80).nullish(),
  workspace_id: z.string().max(80).nullish(),
});

const updateKeyBody = z.strictObject({
  name: nameInput.optional(),
  disabled: z.boolean().optional(),
  expires_at: timeIn.nullish(),
  limits: limitsInput.default({}),
  permissions: permissionsInput.default({}),
  cache_seconds: cacheSeconds,
  origins,
  ...openRouterBudget,
});

export const keyRoutes = {
  listKeys: declare({
    method: 'GET',
    path: '/keys',
    summary: 'List API keys of the account, newest first',
    needs: 'viewer',
    doors: ['dashboard', 'management', 'control'],
    params: nothing,
    query: accountQuery.extend({
      project: idText.optional(),
      /** Part of the name or of the label. */
      search: z.string().max(200).optional(),
      include_disabled: z.enum(['true', 'false']).default('true'),
      include_revoked: z.enum(['true', 'false']).default('false'),
      /** OpenRouter's way to page. */
      offset: z.coerce.number().int().min(0).optional(),
      workspace_id: z.string().max(80).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(100),
      format,
    }),
    body: nothing,
    answer: z.strictObject({ data: z.array(keyOut), next_cursor: nextCursor, total_count: count }),
    also: 'text/csv',
  }),
  listAllKeys: declare({
    ...forCommands,
    method: 'GET',
    path: '/all/keys',
    summary: 'List API keys of all accounts, newest first; with `reference`, those with this id, label or name',
    params: nothing,
    query: z.strictObject({
      reference: z.string().max(1000).optional(),
      include_revoked: z.enum(['true', 'false']).default('false'),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(1000),
    }),
    body: nothing,
    answer: z.strictObject({ data: z.array(keyOut.extend({ account: named })), next_cursor: nextCursor }),
  }),
  createKey: declare({
    method: 'POST',
    path: '/keys',
    summary: 'Create an API key; its secret is only in this response',
    needs: 'developer',
    doors: ['dashboard', 'management', 'control'],
    params: nothing,
    query: accountQuery,
    body: createKeyBody,
    answer: madeKey,
    status: 201,
    idempotent: true,
  }),
  readKey: declare({
    method: 'GET',
    path: '/keys/:key',
    summary: 'Get an API key',
    needs: 'viewer',
    doors: ['dashboard', 'management', 'control'],
    params: keyParams,
    query: accountQuery,
    body: nothing,
    answer: oneKey,
  }),
  updateKey: declare({
    method: 'PATCH',
    path: '/keys/:key',
    summary: 'Update an API key; absent fields stay, null removes a value',
    needs: 'developer',
    doors: ['dashboard', 'management', 'control'],
    params: keyParams,
    query: accountQuery,
    body: updateKeyBody,
    answer: oneKey.extend({ predecessors }),
  }),
  revokeKey: declare({
    method: 'DELETE',
    path: '/keys/:key',
    summary: 'Revoke an API key permanently; it stays in reports',
    needs: 'developer',
    doors: ['dashboard', 'management', 'control'],
    params: keyParams,
    /** `now`: its running calls are cut. */
    query: accountQuery.extend({ now: z.enum(['true', 'false']).default('false'), with_made: withMade }),
    body: nothing,
    answer: z.strictObject({
      deleted: z.literal(true),
      data: keyOut,
      predecessors,
      made: revocationOut.nullable().meta({ description: 'For management keys; null for inference keys.' }),
    }),
  }),
  readKeyMade: declare({
    method: 'GET',
    path: '/keys/:key/made',
    summary: 'List what a management key and its predecessors created: active keys and pending invitations',
    needs: 'viewer',
    doors: ['dashboard', 'management', 'control'],
    params: keyParams,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({ data: madeOut }),
  }),
  rotateKey: declare({
    method: 'POST',
    path: '/keys/:key/rotate',
    summary: 'Rotate an API key; the old secret works until the grace period ends',
    needs: 'developer',
    doors: ['dashboard', 'management', 'control'],
    params: keyParams,
    query: accountQuery,
    /** 0 to 7 days. */
    body: z.strictObject({
      grace_ms: z.int().min(0).max(GRACE_MS_MAX).default(86_400_000),
    }),
    answer: z.strictObject({ data: keyOut, retiring: keyOut, key: z.string() }),
    status: 201,
    idempotent: true,
  }),
  readKeyLimits: declare({
    method: 'GET',
    path: '/keys/:key/limits',
    summary: 'Get the current limits of an API key and what is left of them',
    needs: 'viewer',
    doors: ['dashboard', 'management', 'control'],
    params: keyParams,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({
      data: z.strictObject({
        budgets: z.array(
          z.strictObject({
            scope: z.enum(['key', 'project', 'account']),
            window: z.enum(['day', 'week', 'month', 'total']),
            limit: usdOut,
            spent: usdOut,
            held: usdOut,
            remaining: usdOut,
            resets_at: timeOrNull,
          }),
        ),
        rates: z.array(
          z.strictObject({
            scope: z.enum(['key', 'project', 'account']),
            kind: z.enum(['requests_per_minute', 'requests_per_day', 'tokens_per_minute', 'concurrent_calls']),
            limit: z.int(),
            used: z.int(),
          }),
        ),
        /** The limit that stops a call first: the balance or the budget with the least remaining. Null if there is none. */
        binding: z
          .strictObject({
            kind: z.enum(['balance', 'budget']),
            scope: z.string(),
            window: z.string().nullable(),
            available: usdOut,
          })
          .nullable(),
      }),
    }),
  }),
};
