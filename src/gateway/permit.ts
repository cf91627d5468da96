/** Step 5: what the key may do. Models are the next step's to judge; it knows the nearest names. */
import { assert } from '../core/assert.ts';
import { GatewayError } from '../core/errors.ts';
import type { Call } from './call.ts';

/** Throws `GatewayError` 403. */
export function permit(call: Call): void {
  assert(call.key !== null, 'permissions are those of a key');
  const { operations } = call.key.permissions;
  if (operations !== undefined && !operations.includes(call.operation)) {
    throw new GatewayError('permission_denied', {
      message: `This key may not use the operation "${call.operation}"; it may use: ${operations.join(', ') || 'none'}.`,
    });
  }
}
