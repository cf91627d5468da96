/** Limits and permissions in requests: null removes one, an absent one stays. */
import * as z from 'zod';
import { LIST_MAX, PATTERN_LENGTH_MAX } from '../../../accounts/list-bounds.ts';
import { usd } from './usd-input.ts';

const rate = z.int().min(1).nullable().optional();
/** The bound of model patterns, the longest entries; `checkPermissions` validates each kind. */
const list = z.array(z.string().max(PATTERN_LENGTH_MAX)).max(LIST_MAX).nullable().optional();
const budget = usd.nullable().optional();

export const limitsInput = z.strictObject({
  requests_per_minute: rate,
  requests_per_day: rate,
  tokens_per_minute: rate,
  concurrent_calls: rate,
  /** USD, as decimal text. */
  budgets: z.strictObject({ day: budget, week: budget, month: budget, total: budget }).optional(),
});

/** An empty list is the same as null: it allows all. */
export const permissionsInput = z.strictObject({
  operations: list,
  models_allow: list,
  models_deny: list,
  ips: list,
});

export type LimitsInput = z.output<typeof limitsInput>;
export type PermissionsInput = z.output<typeof permissionsInput>;
