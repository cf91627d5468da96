/** The contract of every bank, as tests: the one in PostgreSQL and the model in memory run this suite against themselves. */
import { test } from 'node:test';
import type { BillingMode } from '../billing/billing-mode.ts';
import type { BankPromise, BankUnderTest } from './contract/bank-under-test.ts';
import { lendingPromises } from './contract/lending.ts';
import { lostAccountPromises } from './contract/lost-accounts.ts';
import { placePromises } from './contract/places.ts';
import { settlingPromises } from './contract/settling.ts';

/** Tests a bank, with balances that are paid in advance unless a promise is about others. */
export function bankContract(name: string, open: (mode: BillingMode) => Promise<BankUnderTest>): void {
  const promiseIn =
    (mode: BillingMode): BankPromise =>
    (sentence, run) =>
      void test(`${name}: ${sentence}`, async () => {
        const subject = await open(mode);
        try {
          await run(subject);
        } finally {
          await subject.dispose();
        }
      });
  for (const promises of [lendingPromises, settlingPromises, placePromises]) promises(promiseIn('prepaid'));
  lostAccountPromises(promiseIn('postpaid'));
}
