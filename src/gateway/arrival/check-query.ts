/** Refuses a credential in the address: there every proxy on the way writes it to its log. */
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
