/** The limits in a form: text and numbers as typed, and their request body. */
import type { Limits } from '../api/types.ts';
import { usdText } from '../format/money.ts';

export const BUDGET_WINDOWS = ['day', 'week', 'month', 'total'] as const;
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number];
export const RATES = ['requests_per_minute', 'requests_per_day', 'tokens_per_minute', 'concurrent_calls'] as const;
export type Rate = (typeof RATES)[number];

export interface LimitsDraft {
  /** USD as decimal text; empty for none. */
  readonly budgets: Readonly<Record<BudgetWindow, string>>;
  /** Null for none. */
  readonly rates: Readonly<Record<Rate, number | null>>;
}

export interface LimitsBody {
  readonly budgets?: { readonly [Window in BudgetWindow]?: string | null };
  readonly requests_per_minute?: number | null;
  readonly requests_per_day?: number | null;
  readonly tokens_per_minute?: number | null;
  readonly concurrent_calls?: number | null;
}

export const NO_LIMITS: Limits = {
  requests_per_minute: null,
  requests_per_day: null,
  tokens_per_minute: null,
  concurrent_calls: null,
  budgets: {},
};

export function draftOfLimits({ budgets, ...rates }: Limits): LimitsDraft {
  return {
    budgets: {
      day: usdText(budgets.day),
      week: usdText(budgets.week),
      month: usdText(budgets.month),
      total: usdText(budgets.total),
    },
    rates,
  };
}

/** Only what differs from `before` (`NO_LIMITS` for something new); null removes a limit, an absent one stays. */
export function limitsBody(draft: LimitsDraft, before: Limits = NO_LIMITS): LimitsBody {
  const budgets: { [Window in BudgetWindow]?: string | null } = {};
  for (const window of BUDGET_WINDOWS) {
    const text = plainAmount(draft.budgets[window]);
    if (text !== usdText(before.budgets[window])) budgets[window] = text === '' ? null : text;
  }
  const rates: { [Name in Rate]?: number | null } = {};
  for (const rate of RATES) {
    if (draft.rates[rate] !== before[rate]) rates[rate] = draft.rates[rate];
  }
  return Object.keys(budgets).length === 0 ? rates : { ...rates, budgets };
}

/** Incomplete input, completed: `5.` is 5, `.5` is 0.5. What is not an amount stays, for the server to refuse. */
function plainAmount(text: string): string {
  if (!/\d/.test(text)) return text.trim();
  const whole = text.startsWith('.') ? `0${text}` : text;
  return whole.replace(/\.$/, '');
}
