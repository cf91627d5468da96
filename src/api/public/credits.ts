/**
 * `GET /api/v1/credits`: what the account was ever credited, and what it was charged, in the two fields of
 * OpenRouter's answer (https://openrouter.ai/docs/api/api-reference/credits/get-credits). Any key of the account may ask.
 */
import type { Key } from '../../accounts/keys.ts';
import { type MoneyView, moneyOf } from '../../billing/money-view.ts';
import { NO_MONEY, usdLiteral } from '../../core/money.ts';

/** Where no balance is kept there are no credits; what was spent is told all the same. Exact numbers for `JSON.stringify`. */
export async function credits({ accountId }: Key, view: MoneyView): Promise<object> {
  const { balance, spent } = await moneyOf(view, 'account', accountId);
  return {
    data: {
      total_credits: usdLiteral(balance?.credited ?? NO_MONEY),
      total_usage: usdLiteral(balance?.charged ?? spent.total),
    },
  };
}
