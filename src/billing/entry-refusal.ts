/** Why an entry is not posted. Expected, so nothing throws it within billing: whoever asked renders it at the edge. */
import { GatewayError } from '../core/errors.ts';
import { formatUsd, parseUsd } from '../core/money.ts';
import type { NewEntry } from './entry.ts';

/** A larger one is a slip of the hand. */
export const ENTRY_MAX = parseUsd('1000000000');

/**
 * What was credited and what is owed stay within this each, so that what was charged stays within twice as much: 64 bits hold
 * $9.2 billion.
 */
export const SUM_MAX = parseUsd('4000000000');

export type EntryRefusal =
  /** The reference stands for another entry. */
  | 'reference_taken'
  /** No balance is kept. */
  | 'billing_off'
  | 'exceeds_entry_max'
  /** Of nothing, or a debit that is no adjustment. */
  | 'not_positive'
  /** A refund of a call that this account did not make. */
  | 'unknown_call'
  /** A refund of more than is left of its call's charge. */
  | 'exceeds_charge'
  /** A sum of the account would come near the end of what 64 bits hold in nano-USD: a database would go on with an inexact number. */
  | 'exceeds_sum_max'
  /** A debit of more than nobody holds. */
  | 'exceeds_available';

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
