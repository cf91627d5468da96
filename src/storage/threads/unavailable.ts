import { GatewayError } from '../../core/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** What a caller of reports gets while the database is away. */
export function unavailable(): GatewayError {
  return new GatewayError('shedding', {
    message: 'The database of reports cannot be reached now; try again shortly.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
