/** Errors of calls that are cut off: by the caller, which then gets no answer, or from outside. */
import { GatewayError } from '../core/errors.ts';
import type { Ending } from '../core/settlement.ts';

/** The caller closed the connection before it was answered. */
export class CallerLeft extends Error {
  override readonly name = 'CallerLeft';

  constructor() {
    super('the client disconnected before the answer');
  }
}

/** The error for a call that is ended from outside. */
export function cutError(ending: Ending): GatewayError {
  if (ending === 'key_cut')
    return new GatewayError('invalid_api_key', { message: 'The API key was revoked during this call.' });
  return new GatewayError('draining', { retryAfterSeconds: 1 });
}

/** What a step of a call that is cut off rejects with: `CallerLeft`, or `cutError`. */
export function cutReason(ending: Ending): CallerLeft | GatewayError {
  return ending === 'caller_left' ? new CallerLeft() : cutError(ending);
}
