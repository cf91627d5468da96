/**
 * The address under which browsers see this installation: decides whether a session cookie may be sent, and which pages are our own. The
 * browser sets the `Host` header; a page of another site cannot choose it.
 */
import type { IncomingMessage } from 'node:http';
import { basePathOf } from '../../../core/base-path.ts';
import type { CookiePlace } from './session-cookie.ts';

export type Scheme = 'http' | 'https';

export class OwnAddress {
  readonly #publicUrl: URL | null;
  readonly #schemeOf: (request: IncomingMessage) => Scheme;
  readonly #basePath: string;

  /** `schemeOf` trusts `X-Forwarded-Proto` only from trusted proxies. */
  constructor(publicUrl: string | null, schemeOf: (request: IncomingMessage) => Scheme) {
    this.#publicUrl = publicUrl === null ? null : new URL(publicUrl);
    this.#schemeOf = schemeOf;
    this.#basePath = basePathOf(publicUrl);
  }

  /** Whether browsers use https: then the cookie is `Secure`, with a name that no other host can set. */
  isSecure(request: IncomingMessage): boolean {
    return this.#publicUrl?.protocol === 'https:' || this.#schemeOf(request) === 'https';
  }

  /** The scope of cookies. */
  cookiePlace(request: IncomingMessage): CookiePlace {
    return { isSecure: this.isSecure(request), basePath: this.#basePath };
  }

  /** Whether a session cookie may be used: over https, on this machine, or at a plain http address that the operator configured. */
  mayCarrySession(request: IncomingMessage): boolean {
    if (this.isSecure(request)) return true;
    const own = this.#originOf(request);
    return own !== null && (isLoopback(own.hostname) || own.host === this.#publicUrl?.host);
  }

  /** Whether a page of this origin is one of ours. */
  isOwn(request: IncomingMessage, origin: string): boolean {
    const theirs = origin.toLowerCase();
    return theirs === this.#publicUrl?.origin || theirs === this.#originOf(request)?.origin;
  }

  #originOf(request: IncomingMessage): URL | null {
    const { host } = request.headers;
    const address = `${this.#schemeOf(request)}://${host}`;
    return host !== undefined && URL.canParse(address) ? new URL(address) : null;
  }
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
