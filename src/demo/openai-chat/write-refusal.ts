import type { Refusal } from '../refusal.ts';

/** https://platform.openai.com/docs/guides/error-codes */
const TYPES: Readonly<Record<number, string>> = {
  403: 'permission_error',
  429: 'requests',
  500: 'server_error',
  503: 'service_unavailable_error',
};

const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'insufficient_quota',
  429: 'rate_limit_exceeded',
  503: 'server_is_overloaded',
};

export function writeOpenaiRefusal(refusal: Refusal): string {
  return JSON.stringify({
    error: {
      message: refusal.message,
      type: TYPES[refusal.status] ?? (refusal.status > 500 ? 'server_error' : 'invalid_request_error'),
      param: refusal.param,
      code: refusal.code ?? CODES[refusal.status] ?? null,
    },
  });
}
