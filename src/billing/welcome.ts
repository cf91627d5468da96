/** The credit of a first run. */
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import type { Bank } from './bank.ts';
import { entryRefusalError } from './entry-refusal-error.ts';

/** What a new installation has to try things with; posted once, however often a first run is interrupted. */
export async function welcome(bank: Bank, accountId: AccountId, amount: Money, at: number): Promise<void> {
  if (bank.mode === 'off' || amount === 0n) return;
  const what = {
    kind: 'promo',
    reference: FIRST_RUN_REFERENCE,
    callId: null,
    note: 'credit of the first run',
  } as const;
  const entry = { ...what, accountId, amount, at };
  const answer = await bank.post(entry);
  // Nobody expects that of an empty account: the start ends with it.
  if (answer.refused !== null) throw entryRefusalError(answer.refused, entry);
}

const FIRST_RUN_REFERENCE = 'first-run';
