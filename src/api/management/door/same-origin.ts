/**
 * Checks that a change was requested by a page of this installation: browsers also send cookies with requests from other sites' pages.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../../core/errors.ts';
import type { OwnAddress } from './own-address.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isSafe(method: string | undefined): boolean {
  return SAFE.has(method ?? '');
}

/**
 * Throws `GatewayError` `permission_denied` for a method that may change something, unless the browser states that the page has the same
 * origin. `Origin` counts only without `Sec-Fetch-Site`: from old browsers, and over plain http. Other clients send neither, and use
 * management keys.
 */
export function checkSameOrigin(request: IncomingMessage, address: OwnAddress): void {
  if (isSafe(request.method)) return;
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site === 'same-origin') return;
  if (site === undefined && origin !== undefined && address.isOwn(request, origin)) return;
  throw new GatewayError('permission_denied', {
    message:
      site === undefined && origin === undefined
        ? 'This URL is for the dashboard only, and the request does not come from it. Programs use /api/v1 with a management key.'
        : 'This request does not come from the dashboard of this installation. Behind a proxy, set publicUrl to the URL that browsers use.',
  });
}
