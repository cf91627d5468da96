/** Goal: credits minus usage is the balance, to the nano-USD. Method: the answer as text, and the SDK's schema. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GetCreditsResponse$inboundSchema } from '@openrouter/sdk/models/operations/getcredits.js';
import type { Key } from '../../accounts/keys.ts';
import type { Balance, MoneyView } from '../../billing/money-view.ts';
import { accountId } from '../../core/ids.ts';
import { type Money, NO_MONEY, nanoUsd } from '../../core/money.ts';
import { credits } from './credits.ts';

const key = { accountId: accountId(1) } as Key;

test('credits and usage are exact, and readable by the SDK', async () => {
  const text = JSON.stringify(
    await credits(
      key,
      showing(NO_MONEY, {
        balance: nanoUsd(1n),
        held: NO_MONEY,
        available: nanoUsd(1n),
        credited: nanoUsd(12_345_678_901_234_567n),
        charged: nanoUsd(12_345_678_901_234_566n),
      }),
    ),
  );
  assert.equal(text, '{"data":{"total_credits":12345678.901234567,"total_usage":12345678.901234566}}');
  assert.equal(GetCreditsResponse$inboundSchema.parse(JSON.parse(text)).data.totalCredits, 12345678.901234567);
});

test('without billing there are no credits, and usage is the spending', async () => {
  const answer = await credits(key, showing(nanoUsd(2_500_000_000n), null));
  assert.equal(JSON.stringify(answer), '{"data":{"total_credits":0,"total_usage":2.5}}');
});

/** The total spending of the key's account, and its balance. */
function showing(total: Money, balance: Balance | null): MoneyView {
  const spent = { day: NO_MONEY, week: NO_MONEY, month: NO_MONEY, total };
  return {
    async of(scopes) {
      assert.deepEqual(scopes, [{ scope: 'account', id: 1 }]);
      return [{ balance, spent, held: NO_MONEY, lastDay: null }];
    },
  };
}
