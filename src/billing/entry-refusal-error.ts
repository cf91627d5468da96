/** The error for an entry that was refused. */
import { GatewayError } from '../core/errors.ts';
import { formatUsd } from '../core/money.ts';
import type { EntryRefusal, NewEntry } from './entry.ts';
import { ENTRY_MAX, SUM_MAX } from './posting-rules.ts';

/** `GatewayError` 400, 404 or 409. */
export function entryRefusalError(refused: EntryRefusal, { kind, reference }: NewEntry): GatewayError {
  switch (refused) {
    case 'unknown_account':
      return new GatewayError('not_found', { message: 'The account does not exist.', param: 'account' });
    case 'reference_taken':
      return new GatewayError('conflict', {
        message: `The reference "${reference}" already belongs to another entry.`,
      });
    case 'billing_off':
      return new GatewayError('conflict', {
        message: 'Billing is off, so there is no balance to change.',
      });
    case 'exceeds_entry_max':
      return invalidAmount(`An entry may be at most $${formatUsd(ENTRY_MAX)}.`);
    case 'not_positive':
      return invalidAmount(`A ${kind} must be a positive amount.`);
    case 'unknown_call':
      return new GatewayError('not_found', { message: 'This account has no such call to refund.', param: 'call' });
    case 'exceeds_charge':
      return invalidAmount('A refund cannot exceed the charge of the call.');
    case 'exceeds_sum_max':
      return invalidAmount(
        `An account's balance and totals are limited to $${formatUsd(SUM_MAX)}, which this would exceed.`,
      );
    case 'exceeds_available':
      return new GatewayError('conflict', {
        message:
          'The account has less credit available than this amount; running calls may hold a part of its balance.',
      });
  }
}

function invalidAmount(message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param: 'amount' });
}
