/** How a call ends that is cut: by its caller, which nobody answers then, or from outside. */
import { GatewayError } from '../core/errors.ts';
import type { Ending } from '../core/settlement.ts';

/** The caller closed the connection before it was answered; there is nobody to answer. */
export class CallerLeft extends Error {
  override readonly name = 'CallerLeft';

  constructor() {
    super('the client disconnected before the answer');
  }
}

/** What a caller is told whose call is ended from outside. */
export function cutError(ending: Ending): GatewayError {
  if (ending === 'key_cut')
    return new GatewayError('invalid_api_key', { message: 'The API key was revoked during this call.' });
  return new GatewayError('draining', { retryAfterSeconds: 1 });
}

/** With what a step of a call is rejected that is cut: `CallerLeft`, or `cutError`. */
export function cutReason(ending: Ending): CallerLeft | GatewayError {
  return ending === 'caller_left' ? new CallerLeft() : cutError(ending);
}
