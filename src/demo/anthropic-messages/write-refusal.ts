import type { Refusal } from '../refusal.ts';

/** https://docs.anthropic.com/en/api/errors */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export function writeAnthropicRefusal(refusal: Refusal, requestId: string): string {
  return JSON.stringify({
    type: 'error',
    error: {
      type: TYPES[refusal.status] ?? (refusal.status >= 500 ? 'api_error' : 'invalid_request_error'),
      message: refusal.message,
      ...(refusal.details !== null && { details: refusal.details }),
    },
    request_id: requestId,
  });
}
