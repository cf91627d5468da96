/**
 * Keeps a request from coming back: a member may set the gateway's own address, or that of a gateway which leads back here, as the address
 * of an own credential, and one call would then take every place there is. Requests to such addresses say through which gateways they
 * came. https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '../../core/errors.ts';

/** Of this process, so that one gateway may be the provider of another. */
const PSEUDONYM = `turnpike-${randomBytes(8).toString('hex')}`;
/** More than a few dozen gateways and proxies. */
const HOPS_CHARACTERS_MAX = 2048;

/** Throws `GatewayError` 400 `unsupported_value` for a request that came through this gateway before. */
export function refuseReturning({ via }: IncomingHttpHeaders): void {
  if (via === undefined) return;
  if (via.length <= HOPS_CHARACTERS_MAX && !via.includes(PSEUDONYM)) return;
  throw new GatewayError('unsupported_value', {
    message:
      'This request has come through this gateway before, or through too many others. Check the base_url of the own credential that serves it: it must be the address of a provider.',
    param: 'via',
  });
}

/** The header `via` for a request that is sent on to an address that a member has set. */
export function viaAfter({ via }: IncomingHttpHeaders): string {
  const own = `1.1 ${PSEUDONYM}`;
  return via === undefined ? own : `${via}, ${own}`;
}
