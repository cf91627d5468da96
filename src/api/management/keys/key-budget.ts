/**
 * Converts OpenRouter's single budget of a key, a number of USD and a reset, to budgets
 * (https://openrouter.ai/docs/api/api-reference/api-keys/create-keys). Without a reset it is a total budget.
 */
import type { Limits } from '../../../accounts/limits.ts';
import type { BudgetWindow } from '../../../core/budget.ts';
import { GatewayError } from '../../../core/errors.ts';
import { type Money, parseUsd } from '../../../core/money.ts';
import type { LimitsInput } from '../../contract/inputs/limits-input.ts';

export type Reset = 'daily' | 'weekly' | 'monthly' | null;

export interface BudgetInput {
  readonly limit?: number | null | undefined;
  readonly limit_reset?: Reset | undefined;
}

/**
 * The requested limits, including OpenRouter's budget. `shown` is the window of the budget that the key shows as its `limit` now, or null:
 * a new limit replaces that budget and keeps others; a null limit removes all. Throws `GatewayError` `invalid_value` together with
 * `limits.budgets`, for a reset without a limit, and for an amount that is not exact.
 */
export function withBudget(
  limits: LimitsInput,
  { limit, limit_reset: reset }: BudgetInput,
  before: Limits,
  shown: BudgetWindow | null,
): LimitsInput {
  if (limit === undefined && reset === undefined) return limits;
  if (limits.budgets !== undefined)
    throw invalid('limit', 'limit and limit_reset mean the same as limits.budgets: send only one of them');
  if (limit === null) return { ...limits, budgets: { day: null, week: null, month: null, total: null } };
  const amount = limit === undefined ? amountShown(before, shown) : usdOfNumber(limit);
  if (amount === null) {
    if (reset === null) return limits;
    throw invalid('limit_reset', 'there is no limit to reset');
  }
  const window = reset === undefined ? (shown ?? 'total') : WINDOWS[reset ?? 'never'];
  const isMoved = shown !== null && shown !== window;
  return { ...limits, budgets: { ...(isMoved ? { [shown]: null } : {}), [window]: amount } };
}

/**
 * A JSON number as the decimal that was written: the shortest one that parses to the same number. Throws `GatewayError` `invalid_value` for
 * more than 9 places, a typical result of float arithmetic.
 */
function usdOfNumber(value: number): Money {
  try {
    return parseUsd(plainDecimal(value));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid('limit', 'it must be USD with at most 9 decimal places, below a quadrillion');
  }
}

const WINDOWS: Readonly<Record<'daily' | 'weekly' | 'monthly' | 'never', BudgetWindow>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  never: 'total',
};

function amountShown({ budgets }: Limits, shown: BudgetWindow | null): Money | null {
  return shown === null ? null : (budgets?.[shown] ?? null);
}

/** Without an exponent: `1e-7` is `0.0000001`. A large exponent stays, and is refused. */
function plainDecimal(value: number): string {
  const text = String(value);
  const small = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (small === null) return text;
  const [, first = '', rest = '', exponent = '0'] = small;
  return `0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}

function invalid(param: string, reason: string): GatewayError {
  return new GatewayError('invalid_value', { message: `${param} is not accepted: ${reason}.`, param });
}
