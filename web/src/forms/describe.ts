/** Limits and permissions in a few words, for collapsed sections and lists. */
import type { Limits, Permissions } from '../api/types.ts';
import { formatCount, formatShort } from '../format/figures.ts';
import { formatUsd } from '../format/money.ts';
import { BUDGET_WINDOWS, type BudgetWindow, RATES, type Rate } from './limits-draft.ts';

export const WINDOW_WORDS: Readonly<Record<BudgetWindow, string>> = {
  day: 'per day',
  week: 'per week',
  month: 'per month',
  total: 'in total',
};

export const RATE_WORDS: Readonly<Record<Rate, string>> = {
  requests_per_minute: 'requests per minute',
  requests_per_day: 'requests per day',
  tokens_per_minute: 'tokens per minute',
  concurrent_calls: 'concurrent requests',
};

const RATE_WORDS_OF_ONE: Readonly<Record<Rate, string>> = {
  requests_per_minute: 'request per minute',
  requests_per_day: 'request per day',
  tokens_per_minute: 'token per minute',
  concurrent_calls: 'concurrent request',
};

/** `$5.00 per day`, `$50.00 per month`. */
export function describeBudgets(
  budgets: { readonly [Window in BudgetWindow]?: number | undefined },
): readonly string[] {
  return BUDGET_WINDOWS.filter((window) => budgets[window] !== undefined).map(
    (window) => `${formatUsd(budgets[window])} ${WINDOW_WORDS[window]}`,
  );
}

/** `60 requests per minute`. */
export function describeRates(rates: Readonly<Record<Rate, number | null>>): readonly string[] {
  return RATES.flatMap((rate) => {
    const limit = rates[rate];
    if (limit === null) return [];
    const words = limit === 1 ? RATE_WORDS_OF_ONE : RATE_WORDS;
    return [`${limit < 1_000_000 ? formatCount(limit) : formatShort(limit)} ${words[rate]}`];
  });
}

/** `2 model patterns`, `from 3 addresses`; permissions that allow everything are left out. */
export function describePermissions(permissions: Permissions): readonly string[] {
  const { models_allow: allow, models_deny: deny, operations, ips } = permissions;
  return [
    ...(allow === null ? [] : [allow.length === 1 ? (allow[0] as string) : `${allow.length} model patterns`]),
    ...(deny === null ? [] : [`except ${deny.length === 1 ? deny[0] : `${deny.length} model patterns`}`]),
    ...(operations === null ? [] : [operations.join(', ')]),
    ...(ips === null ? [] : [ips.length === 1 ? `from ${ips[0]}` : `from ${ips.length} addresses`]),
  ];
}

export function describeLimits({ budgets, ...rates }: Limits): readonly string[] {
  return [...describeBudgets(budgets), ...describeRates(rates)];
}
