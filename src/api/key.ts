/**
 * `GET /api/v1/key`: what the calling key is and may do, in the fields that OpenRouter's clients
 * read (https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key), and the account's
 * balance beside them. What this gateway does not keep is a zero or a null, never a guess.
 */
import type { Key } from '../accounts/keys.ts';

export interface KeyInformation {
  readonly data: Readonly<Record<string, unknown>>;
  /** USD; null while no balance is kept. */
  readonly balance: null;
}

/** No limits of one's own are kept in this shape; OpenRouter's clients read -1 as "none". */
const RATE_LIMIT = { requests: -1, interval: '10s', note: 'deprecated: always -1' };

export function keyInformation(key: Key): KeyInformation {
  return {
    data: {
      label: key.label,
      name: key.name,
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      include_byok_in_limit: false,
      usage: 0,
      usage_daily: 0,
      usage_weekly: 0,
      usage_monthly: 0,
      byok_usage: 0,
      byok_usage_daily: 0,
      byok_usage_weekly: 0,
      byok_usage_monthly: 0,
      is_free_tier: false,
      is_management_key: key.kind === 'management',
      is_provisioning_key: key.kind === 'management',
      creator_user_id: key.createdBy,
      expires_at: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
      rate_limit: RATE_LIMIT,
      // Required by the SDK's schema; this gateway has neither regions nor free models with a daily allowance.
      allowed_data_regions: ['global'],
      free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
      organization_id: null,
      workspace_id: null,
    },
    balance: null,
  };
}
