/**
 * A developer whose key was restricted by somebody above cannot shed that by making another key: what restricts their keys of a
 * project restricts the new one too. Numbers become the lower of the two, lists the narrower; what fits neither way is refused.
 */
import type { Budgets } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import type { Key } from './keys.ts';
import type { Limits, Permissions } from './limits.ts';
import {
  type Ceiling,
  ceilingsAbove,
  type FieldValue,
  fieldsOf,
  isWithin,
  type Restrictions,
  tooLoose,
} from './restrictions.ts';

export interface NewKeySettings {
  readonly expiresAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
}

/**
 * The settings within what restricts these keys, and the restrictions that the new key takes over. Throws `GatewayError`
 * `permission_denied` where one of them is disabled by somebody above, has an expiry that is over, or has a list that does not fit.
 */
export function withinRestrictionsOf(
  keys: Iterable<Key>,
  settings: NewKeySettings,
  nowMs: number,
): NewKeySettings & { readonly restrictions: Restrictions } {
  const fields = fieldsOf(settings);
  const taken: Record<string, Record<string, FieldValue>> = {};
  for (const key of keys)
    for (const [level, ceiling] of ceilingsAbove(key.restrictions ?? {}, 'developer')) {
      if (ceiling['disabled'] === true) throw cannotReplace(key, level, 'disabled');
      if (Number(ceiling['expires_at'] ?? Number.POSITIVE_INFINITY) <= nowMs)
        throw cannotReplace(key, level, 'expires_at');
      taken[level] ??= {};
      const ofLevel = taken[level];
      for (const [name, bound] of Object.entries(ceiling)) {
        const value = tighter(name, fields.get(name), bound);
        if (value === null) throw tooLoose(name, level, `Your key ${key.id} of this project`);
        fields.set(name, value);
        ofLevel[name] = value;
      }
    }
  return { ...settingsOf(fields), restrictions: taken as Record<string, Ceiling> };
}

/** Null where neither is within the other. */
function tighter(name: string, value: FieldValue | undefined, bound: FieldValue): FieldValue | null {
  if (value === undefined) return bound;
  if (isWithin(name, value, bound)) return value;
  return isWithin(name, bound, value) ? bound : null;
}

function settingsOf(fields: ReadonlyMap<string, FieldValue>): NewKeySettings {
  const all = Object.fromEntries(fields);
  const pick = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(names).flatMap(([own, name]) => (name in all ? [[own, all[name]]] : [])));
  const budgets = pick(BUDGETS) as Budgets;
  return {
    expiresAt: (all['expires_at'] as number | undefined) ?? null,
    limits: { ...(pick(RATES) as Limits), ...(Object.keys(budgets).length === 0 ? {} : { budgets }) },
    permissions: pick(LISTS) as Permissions,
  };
}

const RATES = {
  requestsPerMinute: 'limits.requests_per_minute',
  requestsPerDay: 'limits.requests_per_day',
  tokensPerMinute: 'limits.tokens_per_minute',
  concurrentCalls: 'limits.concurrent_calls',
};
const BUDGETS = {
  day: 'limits.budgets.day',
  week: 'limits.budgets.week',
  month: 'limits.budgets.month',
  total: 'limits.budgets.total',
};
const LISTS = {
  operations: 'permissions.operations',
  modelsAllow: 'permissions.models_allow',
  modelsDeny: 'permissions.models_deny',
  ips: 'permissions.ips',
};

function cannotReplace({ id }: Key, level: string, field: string): GatewayError {
  const who = level === 'operator' ? 'an operator' : `an ${level}`;
  const what = field === 'disabled' ? 'was disabled' : 'was given an end';
  return new GatewayError('permission_denied', {
    message: `Your key ${id} of this project ${what} by ${who}, and another one would undo that. Ask ${who} to change or revoke it, or to make the new key.`,
    param: field,
    facts: { restricted_by: level },
  });
}
