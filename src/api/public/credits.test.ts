/** Goal: what was credited less what was used is the balance, to the nano. Method: the answer as text, and the SDK's schema. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GetCreditsResponse$inboundSchema } from '@openrouter/sdk/models/operations/getcredits.js';
import type { Key } from '../../accounts/keys.ts';
import { accountId } from '../../core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../core/money.ts';
import { credits } from './credits.ts';

const key = { accountId: accountId(1) } as Key;

test('credits and usage are exact, and as the SDK reads them', () => {
  const text = JSON.stringify(
    credits(key, {
      balanceOf: () => ({
        balance: nanoUsd(1n),
        held: NO_MONEY,
        available: nanoUsd(1n),
        credited: nanoUsd(12_345_678_901_234_567n),
        charged: nanoUsd(12_345_678_901_234_566n),
      }),
      spent: () => NO_MONEY,
    }),
  );
  assert.equal(text, '{"data":{"total_credits":12345678.901234567,"total_usage":12345678.901234566}}');
  assert.equal(GetCreditsResponse$inboundSchema.parse(JSON.parse(text)).data.totalCredits, 12345678.901234567);
});

test('where no balance is kept there are no credits, and usage is what was spent', () => {
  const answer = credits(key, {
    balanceOf: () => null,
    spent: (scope, id, window) => nanoUsd(scope === 'account' && id === 1 && window === 'total' ? 2_500_000_000n : 0n),
  });
  assert.equal(JSON.stringify(answer), '{"data":{"total_credits":0,"total_usage":2.5}}');
});
