/** Errors for keys that cannot be rotated. */
import { GatewayError } from '../core/errors.ts';
import { GRACE_MS_MAX, type Key } from './keys.ts';

/** Throws `GatewayError` `invalid_value` for a grace that is not between 0 and 7 days. */
export function checkGrace(graceMs: number): void {
  if (Number.isSafeInteger(graceMs) && graceMs >= 0 && graceMs <= GRACE_MS_MAX) return;
  throw new GatewayError('invalid_value', {
    message: 'The grace period of a rotation must be between 0 and 7 days.',
    param: 'grace',
  });
}

export function cannotRotate(key: Key, status: string): GatewayError {
  const advice = status === 'disabled' ? 'Enable it first.' : 'Create a new key instead.';
  return new GatewayError('conflict', {
    message: `Key ${key.id} is ${status}, and only active keys can be rotated. ${advice}`,
    facts: { status },
  });
}
