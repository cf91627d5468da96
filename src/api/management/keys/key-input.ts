/** Reads fields of a key from requests. */
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { LimitsInput, PermissionsInput } from '../../contract/inputs/limits-input.ts';
import { fieldsGiven } from '../accounts/limits.ts';

interface KeyChanges {
  readonly disabled?: boolean | undefined;
  readonly expires_at?: string | null | undefined;
  readonly limits: LimitsInput;
  readonly permissions: PermissionsInput;
}

/** Wall time in ms. Throws `GatewayError` `invalid_value` for a time in the past. */
export function readExpiry(services: { readonly clock: Pick<Clock, 'now'> }, text: string | null): number | null {
  const expiresAt = text === null ? null : Date.parse(text);
  if (expiresAt !== null && expiresAt <= services.clock.now())
    throw new GatewayError('invalid_value', { message: 'expires_at is in the past.', param: 'expires_at' });
  return expiresAt;
}

/** The names of the fields in a request, as in restrictions. */
export function fieldsGivenOf({ disabled, expires_at: expiry, limits, permissions }: KeyChanges): string[] {
  return [
    ...(disabled === undefined ? [] : ['disabled']),
    ...(expiry === undefined ? [] : ['expires_at']),
    ...fieldsGiven(limits, permissions),
  ];
}
