/** What a caller is told whose call is ended from outside. */
import { GatewayError } from '../core/errors.ts';
import type { Ending } from '../core/settlement.ts';

export function cutError(ending: Ending): GatewayError {
  if (ending === 'key_cut')
    return new GatewayError('invalid_api_key', { message: 'The API key of this call was revoked while it ran.' });
  return new GatewayError('draining', { retryAfterSeconds: 1 });
}
