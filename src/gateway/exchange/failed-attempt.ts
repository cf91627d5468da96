/** Why an attempt at a target failed, and whether another may do better. */
import { type ErrorCode, GatewayError } from '../../core/errors.ts';
import { UnusableAnswer } from '../../upstream/client.ts';
import { EgressRefused } from '../../upstream/egress-policy.ts';

export interface FailedAttempt {
  readonly error: GatewayError;
  /** Whether a different target might do better. */
  readonly anotherMayServe: boolean;
  /** The connection was reset before any answer: nothing was served. */
  readonly connectionReset: boolean;
  /** It was, at once, and an earlier request had used it: the provider had closed it, and has not failed. */
  readonly connectionWasStale: boolean;
  /** The provider refused the signature, and the same request may be accepted with another one. */
  readonly signAgain: boolean;
}

/** Codes of problems of the provider, not of the request. */
export const ANOTHER_MAY_SERVE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'upstream_unreachable',
  'upstream_rate_limited',
  'upstream_overloaded',
  'upstream_credential_rejected',
  'bad_gateway',
]);

/** The error for an attempt without an answer's head; `error` is the connection's. */
export function failureOf(error: unknown): GatewayError {
  const { code, name } = error as { code?: string; name?: string };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new GatewayError('upstream_timeout', { cause: error });
  if (error instanceof EgressRefused)
    return new GatewayError('upstream_unreachable', {
      message: `The base URL of your own credential is not connected to: ${error.message}`,
      cause: error,
    });
  // The provider was reached, but did not send a valid HTTP answer.
  if (error instanceof UnusableAnswer || name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new GatewayError('bad_gateway', { cause: error });
  }
  return new GatewayError('upstream_unreachable', { cause: error });
}

/** The error if the disk refused a row. */
export function ledgerFailure(cause: unknown): GatewayError {
  return new GatewayError('ledger_unavailable', { cause });
}
