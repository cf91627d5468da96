/** Reads fields of a key from requests. */
import type { KeyKind } from '../../../accounts/keys.ts';
import { parseOrigins } from '../../../accounts/origins.ts';
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

/**
 * As they are stored; null removes them, undefined leaves them. Throws `GatewayError` `invalid_value`, also for a management key: it would let
 * everybody who sees the page manage the account.
 */
export function readOrigins(
  kind: KeyKind,
  origins: readonly string[] | null | undefined,
): readonly string[] | null | undefined {
  if (origins === undefined || origins === null) return origins;
  if (kind === 'management')
    throw new GatewayError('invalid_value', {
      message: 'origins is not accepted: a management key cannot be used by pages.',
      param: 'origins',
    });
  return parseOrigins(origins);
}

/** The names of the fields in a request, as in restrictions. */
export function fieldsGivenOf({ disabled, expires_at: expiry, limits, permissions }: KeyChanges): string[] {
  return [
    ...(disabled === undefined ? [] : ['disabled']),
    ...(expiry === undefined ? [] : ['expires_at']),
    ...fieldsGiven(limits, permissions),
  ];
}
