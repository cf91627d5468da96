/** Applies changes of limits and permissions in requests, and describes them in answers. Null removes one; absent ones stay. */
import { checkLimits, checkPermissions, type Limits, type Permissions } from '../../../accounts/limits.ts';
import { BUDGET_WINDOWS, type Budgets, type BudgetWindow } from '../../../core/budget.ts';
import { type Money, usdLiteral } from '../../../core/money.ts';
import type { LimitsInput, PermissionsInput } from '../../contract/inputs/limits-input.ts';

/** Returns `before` with the changes. Throws `GatewayError` `invalid_value` with the field. */
export function changedLimits(before: Limits, input: LimitsInput): Limits {
  const { budgets, ...others } = before;
  const changed: Limits = {
    ...withChanges(others, {
      requestsPerMinute: input.requests_per_minute,
      requestsPerDay: input.requests_per_day,
      tokensPerMinute: input.tokens_per_minute,
      concurrentCalls: input.concurrent_calls,
    }),
    ...changedBudgets(budgets, input.budgets),
  };
  checkLimits(changed);
  return changed;
}

/** Like `changedLimits`. */
export function changedPermissions(
  before: Permissions,
  input: PermissionsInput,
  operations: readonly string[],
): Permissions {
  const changed: Permissions = withChanges(before, {
    operations: input.operations,
    modelsAllow: input.models_allow,
    modelsDeny: input.models_deny,
    ips: input.ips,
  });
  checkPermissions(changed, operations);
  return changed;
}

/** The names of the fields in a request, as in restrictions. */
export function fieldsGiven(limits: LimitsInput, permissions: PermissionsInput): string[] {
  const { budgets = {}, ...rates } = limits;
  const given = (prefix: string, input: object) =>
    Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [`${prefix}.${name}`]));
  return [...given('limits', rates), ...given('limits.budgets', budgets), ...given('permissions', permissions)];
}

export function describeLimits(limits: Limits) {
  const { requestsPerMinute, requestsPerDay, tokensPerMinute, concurrentCalls, budgets } = limits;
  return {
    requests_per_minute: requestsPerMinute ?? null,
    requests_per_day: requestsPerDay ?? null,
    tokens_per_minute: tokensPerMinute ?? null,
    concurrent_calls: concurrentCalls ?? null,
    budgets: Object.fromEntries(
      BUDGET_WINDOWS.flatMap((window) => {
        const amount = budgets?.[window];
        return amount === undefined ? [] : [[window, usdLiteral(amount)]];
      }),
    ),
  };
}

export function describePermissions({ operations, modelsAllow, modelsDeny, ips }: Permissions) {
  const listOf = (list: readonly string[] | undefined) => (list === undefined ? null : [...list]);
  return {
    operations: listOf(operations),
    models_allow: listOf(modelsAllow),
    models_deny: listOf(modelsDeny),
    ips: listOf(ips),
  };
}

function changedBudgets(
  before: Budgets | undefined,
  input: LimitsInput['budgets'],
): { readonly budgets?: Partial<Record<BudgetWindow, Money>> } {
  const budgets = withChanges(before ?? {}, input ?? {});
  return Object.keys(budgets).length === 0 ? {} : { budgets };
}

/** Null removes a field, undefined keeps it. */
function withChanges<Value extends object>(
  before: Value,
  changes: { readonly [Name in keyof Value]?: Value[Name] | null | undefined },
): Value {
  const changed = { ...before };
  for (const [name, value] of Object.entries(changes) as [keyof Value, Value[keyof Value] | null | undefined][]) {
    if (value === undefined) continue;
    if (value === null || (Array.isArray(value) && value.length === 0)) delete changed[name];
    else changed[name] = value;
  }
  return changed;
}
