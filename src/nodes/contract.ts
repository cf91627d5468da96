/** The contract of every bank, as tests: the one in PostgreSQL and the model in memory run this suite against themselves. */
import { test } from 'node:test';
import type { BankPromise, BankUnderTest } from './contract/bank-under-test.ts';
import { lendingPromises } from './contract/lending.ts';
import { placePromises } from './contract/places.ts';
import { settlingPromises } from './contract/settling.ts';

/** Tests a bank whose balances are paid in advance. */
export function bankContract(name: string, open: () => Promise<BankUnderTest>): void {
  const promise: BankPromise = (sentence, run) =>
    void test(`${name}: ${sentence}`, async () => {
      const subject = await open();
      try {
        await run(subject);
      } finally {
        await subject.dispose();
      }
    });
  for (const promises of [lendingPromises, settlingPromises, placePromises]) promises(promise);
}
