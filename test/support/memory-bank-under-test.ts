/** The model of the bank as a bank under test. */
import type { BillingMode } from '../../src/billing/billing-mode.ts';
import { postingRules } from '../../src/billing/posting-rules.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { type Money, nanoUsd } from '../../src/core/money.ts';
import type { BankUnderTest } from '../../src/nodes/contract/bank-under-test.ts';
import { purseKey } from '../../src/nodes/memory-bank/bank-state.ts';
import { MemoryBank } from '../../src/nodes/memory-bank/memory-bank.ts';
import { decodeBatch } from '../../src/storage/journal/decode-batch.ts';
import { encodeBatch } from '../../src/storage/journal/encode-batch.ts';

export async function openMemoryBank(mode: BillingMode = 'prepaid'): Promise<BankUnderTest> {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const bank = new MemoryBank({ clock, mode, decode: (bytes) => decodeBatch(bytes).settlements });
  let posted = 0;
  return {
    banks: [bank, bank],
    now: () => clock.now(),
    async advance(byMs) {
      clock.advance(byMs);
    },
    async post(accountId, amount) {
      posted += 1;
      const entry = {
        accountId,
        kind: amount < 0n ? ('adjustment' as const) : ('topup' as const),
        amount: amount as Money,
        reference: `entry ${posted}`,
        callId: null,
        note: null,
        at: clock.now(),
      };
      const answer = bank.post(entry, postingRules(entry, 'prepaid', null));
      if (answer.refused !== null) throw new Error(`refused: ${answer.refused}`);
    },
    async makeAccount(accountId, at) {
      const { madeAt } = bank.state;
      const before = madeAt.get(accountId);
      if (before === undefined || before === Number.POSITIVE_INFINITY) madeAt.set(accountId, at);
    },
    async loseAccount(accountId) {
      bank.state.madeAt.set(accountId, Number.POSITIVE_INFINITY);
      bank.state.accounts.delete(accountId);
      bank.state.leases.delete(purseKey({ kind: 'balance', id: accountId }));
    },
    encode: (rows) => encodeBatch(rows),
    async account(accountId) {
      const { free } = bank.state.knownAccount(accountId);
      return { free, ...bank.totals(accountId) };
    },
    async lent(purse) {
      let [granted, spent] = [0n, 0n];
      for (const lease of bank.state.leasesOf(purse).values()) {
        granted += lease.granted;
        spent += lease.spent;
      }
      return { granted, spent };
    },
    async settlement(callId) {
      const settled = bank.state.settled.get(callId)?.settlement;
      return settled === undefined ? null : { charge: settled.charge, nodeLoss: settled.nodeLoss };
    },
    async spending(purse) {
      const days = [...(bank.state.days.get(purseKey(purse)) ?? [])];
      return days
        .map(([day, { calls, charge }]) => ({ day, calls, charge }))
        .toSorted((one, other) => one.day - other.day);
    },
    async rolledUp(accountId) {
      let sum = 0n;
      for (const { settlement } of bank.state.settled.values())
        if (settlement.accountId === accountId) sum += settlement.charge;
      return { hours: nanoUsd(sum), days: nanoUsd(sum) };
    },
    async dispose() {
      // Nothing outlives the test.
    },
  };
}
