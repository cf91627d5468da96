/**
 * `GET /api/v1/credits`: total credits and charges of the account, in the two fields of
 */
import type { Key } from '../../accounts/keys.ts';
import { type MoneyView, moneyOf } from '../../billing/money-view.ts';
import { NO_MONEY, usdLiteral } from '../../core/money.ts';

/** Without billing there are no credits, but usage is still reported. Returns exact numbers for `JSON.stringify`. */
export async function credits({ accountId }: Key, view: MoneyView): Promise<object> {
  const { balance, spent } = await moneyOf(view, 'account', accountId);
  return {
    data: {
      total_credits: usdLiteral(balance?.credited ?? NO_MONEY),
      total_usage: usdLiteral(balance?.charged ?? spent.total),
    },
  };
}
