/** Refuses a credential in the address: there every proxy on the way writes it to its log. */
import { UnknownKey } from '../../accounts/authenticate.ts';
import { GatewayError } from '../../core/errors.ts';
import type { CallerCredential } from '../../dialects/interface/caller-credential.ts';

/** `query` as sent; `credential` is that of the path's dialect. Throws `GatewayError` 400, which does not repeat the value. */
export function refuseKeyInQuery(credential: CallerCredential | undefined, query: string): void {
  if (query === '' || credential === undefined) return;
  const parameter = keyParameter(credential, query);
  if (parameter === null) return;
  throw new GatewayError('field_not_allowed', { message: notInUrl(credential, parameter), param: parameter });
}

/**
 * `error`: why a request brings no key. If the key is in the address, returns the same refusal, 401, with an explanation; otherwise `error`
 * itself. For paths of every format.
 */
export function explainKeyInQuery(error: unknown, query: string): unknown {
  const isMissing = error instanceof GatewayError && error.code === 'invalid_api_key' && !(error instanceof UnknownKey);
  const parameter = isMissing ? keyParameter(USUAL, query) : null;
  return parameter === null ? error : new GatewayError('invalid_api_key', { message: notInUrl(USUAL, parameter) });
}

const USUAL: CallerCredential = {
  header: 'Authorization',
  refusedParameters: ['key', 'api_key', 'api-key', 'apikey', 'access_token'],
};

/** The first parameter that is refused as a key; null if there is none. */
function keyParameter({ refusedParameters }: CallerCredential, query: string): string | null {
  for (const name of new URLSearchParams(query).keys()) {
    // Google's servers also accept its parameters with a dollar: https://cloud.google.com/apis/docs/system-parameters
    const parameter = name.replace(/^\$/, '').toLowerCase();
    if (refusedParameters.includes(parameter)) return parameter;
  }
  return null;
}

function notInUrl({ header }: CallerCredential, parameter: string): string {
  return (
    `The key is not accepted in the URL (?${parameter}=), because URLs are logged on their way. ` +
    `Send it in the header ${header}. If it was a key of this gateway, replace it.`
  );
}
