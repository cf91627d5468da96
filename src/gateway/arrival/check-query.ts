/** Refuses a credential in the address: there every proxy on the way writes it to its log. */
import { UnknownKey } from '../../accounts/authenticate.ts';
import { GatewayError } from '../../core/errors.ts';
import type { CallerCredential } from '../../dialects/interface/caller-credential.ts';

/** `query` as sent; `credential` is that of the path's dialect. Throws `GatewayError` 400, which does not repeat the value. */
export function refuseKeyInQuery(credential: CallerCredential | undefined, query: string): void {
  if (query === '' || credential === undefined) return;
  for (const name of new URLSearchParams(query).keys()) {
    // Google's servers also accept its parameters with a dollar: https://cloud.google.com/apis/docs/system-parameters
    const parameter = name.replace(/^\$/, '').toLowerCase();
    if (!credential.refusedParameters.includes(parameter)) continue;
    throw new GatewayError('field_not_allowed', {
      message:
        `The key is not accepted in the URL (?${parameter}=), because URLs are logged on their way. ` +
        `Send it in the header ${credential.header}. If it was a key of this gateway, replace it.`,
      param: parameter,
    });
  }
}

/**
 * `error`: why a request brings no key. Throws as `refuseKeyInQuery` does if the key is in the address, on paths of every format; otherwise
 * returns the error.
 */
export function unlessKeyInQuery(error: unknown, query: string): unknown {
  const isMissing = error instanceof GatewayError && error.code === 'invalid_api_key' && !(error instanceof UnknownKey);
  if (isMissing) refuseKeyInQuery(USUAL, query);
  return error;
}

const USUAL: CallerCredential = {
  header: 'Authorization',
  refusedParameters: ['key', 'api_key', 'api-key', 'apikey', 'access_token'],
};
