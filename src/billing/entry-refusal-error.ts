/** The error for an entry that was refused. */
import { GatewayError } from '../core/errors.ts';
import { formatUsd } from '../core/money.ts';
import type { EntryRefusal, NewEntry } from './entry.ts';
import { ENTRY_MAX, SUM_MAX } from './posting-rules.ts';

/** `GatewayError` 400, 404 or 409. */
export function entryRefusalError(refused: EntryRefusal, { kind, reference }: NewEntry): GatewayError {
  switch (refused) {
    case 'reference_taken':
      return new GatewayError('conflict', {
        message: `The reference "${reference}" stands for another entry already.`,
      });
    case 'billing_off':
      return new GatewayError('conflict', {
        message: 'Billing is off here: no balance is kept that could be changed.',
      });
    case 'exceeds_entry_max':
      return invalidAmount(`An entry may move at most $${formatUsd(ENTRY_MAX)}.`);
    case 'not_positive':
      return invalidAmount(`A ${kind} must be more than nothing.`);
    case 'unknown_call':
      return new GatewayError('not_found', { message: 'This account has no such call to refund.', param: 'call' });
    case 'exceeds_charge':
      return invalidAmount('A call cannot be refunded more than it was charged.');
    case 'exceeds_sum_max':
      return invalidAmount(`An account's balance and sums stay within $${formatUsd(SUM_MAX)}; this would go beyond.`);
    case 'exceeds_available':
      return new GatewayError('conflict', { message: 'The account has less available than this would take.' });
  }
}

function invalidAmount(message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param: 'amount' });
}
