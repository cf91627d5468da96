/** The credit of a first run. */
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Bank } from './bank.ts';
import { entryRefusalError } from './entry-refusal-error.ts';

/** Posts the credit for trying things out, once, however often the first run is interrupted. */
export async function welcome(bank: Bank, accountId: AccountId, amount: Money, at: number): Promise<void> {
  if (bank.mode === 'off' || amount === 0n) return;
  const what = {
    kind: 'promo',
    reference: FIRST_RUN_REFERENCE,
    callId: null,
    note: 'first-run credit',
  } as const;
  const entry = { ...what, accountId, amount, at };
  const answer = await bank.post(entry);
  // Unexpected for an empty account: the start fails.
  if (answer.refused !== null) throw entryRefusalError(answer.refused, entry);
}

const FIRST_RUN_REFERENCE = 'first-run';
