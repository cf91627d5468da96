/** The credit of a first run. */
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Bank } from './bank.ts';

/** What a new installation has to try things with; posted once, however often a first run is interrupted. */
export async function welcome(bank: Bank, accountId: AccountId, amount: Money, at: number): Promise<void> {
  if (bank.mode === 'off' || amount === 0n) return;
  const entry = { accountId, kind: 'promo', amount, reference: FIRST_RUN_REFERENCE, callId: null } as const;
  await bank.post({ ...entry, note: 'credit of the first run', at });
}

const FIRST_RUN_REFERENCE = 'first-run';
