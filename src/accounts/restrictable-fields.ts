/** The settings of a key or project that can be restricted, field by field, under their names in the management API. */
import { BUDGET_WINDOWS, type Budgets } from '../core/budget.ts';
import type { Money } from '../core/money.ts';
import type { Limits, Permissions } from './limits.ts';

/** What can be restricted; a project has `archived` instead of `disabled`, and no expiry. */
export interface Restrictable {
  readonly disabled?: boolean;
  readonly archived?: boolean;
  readonly expiresAt?: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
}

export type FieldValue = true | number | Money | readonly string[];

/** Settings that are off or null are absent. */
export function fieldsOf({
  disabled,
  archived,
  expiresAt,
  limits,
  permissions,
}: Restrictable): Map<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  const set = (name: string, value: FieldValue | null | undefined) => {
    if (value !== undefined && value !== null) fields.set(name, value);
  };
  set('disabled', disabled === true ? true : null);
  set('archived', archived === true ? true : null);
  set('expires_at', expiresAt);
  set('limits.requests_per_minute', limits.requestsPerMinute);
  set('limits.requests_per_day', limits.requestsPerDay);
  set('limits.tokens_per_minute', limits.tokensPerMinute);
  set('limits.concurrent_calls', limits.concurrentCalls);
  for (const window of BUDGET_WINDOWS) set(`limits.budgets.${window}`, limits.budgets?.[window]);
  set('permissions.operations', permissions.operations);
  set('permissions.models_allow', permissions.modelsAllow);
  set('permissions.models_deny', permissions.modelsDeny);
  set('permissions.ips', permissions.ips);
  return fields;
}

export interface KeySettings {
  readonly disabled: boolean;
  readonly expiresAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
}

/** The inverse of `fieldsOf`, for a key. */
export function settingsOf(fields: ReadonlyMap<string, FieldValue>): KeySettings {
  const all = Object.fromEntries(fields);
  const pick = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(names).flatMap(([own, name]) => (name in all ? [[own, all[name]]] : [])));
  const budgets = pick(BUDGETS) as Budgets;
  return {
    disabled: all['disabled'] === true,
    expiresAt: (all['expires_at'] as number | undefined) ?? null,
    limits: { ...(pick(RATES) as Limits), ...(Object.keys(budgets).length === 0 ? {} : { budgets }) },
    permissions: pick(LISTS) as Permissions,
  };
}

export function isSame(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  if (one === undefined || other === undefined || !isList(one) || !isList(other)) return one === other;
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

export function isList(value: FieldValue): value is readonly string[] {
  return Array.isArray(value);
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
