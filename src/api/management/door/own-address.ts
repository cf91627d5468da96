/**
 * Under which address browsers see this installation: whether a session may travel, and which pages are its own.
 * The `Host` header is the browser's word; a page of somebody else cannot choose it.
 */
import type { IncomingMessage } from 'node:http';
import { basePathOf } from '../../../core/base-path.ts';
import type { CookiePlace } from './session-cookie.ts';

export type Scheme = 'http' | 'https';

export class OwnAddress {
  readonly #publicUrl: URL | null;
  readonly #schemeOf: (request: IncomingMessage) => Scheme;
  readonly #basePath: string;

  /** `schemeOf` believes `X-Forwarded-Proto` from trusted proxies alone. */
  constructor(publicUrl: string | null, schemeOf: (request: IncomingMessage) => Scheme) {
    this.#publicUrl = publicUrl === null ? null : new URL(publicUrl);
    this.#schemeOf = schemeOf;
    this.#basePath = basePathOf(publicUrl);
  }

  /** Whether browsers come by https: then the cookie is `Secure`, under a name that no other host can set. */
  isSecure(request: IncomingMessage): boolean {
    return this.#publicUrl?.protocol === 'https:' || this.#schemeOf(request) === 'https';
  }

  /** For whom cookies are. */
  cookiePlace(request: IncomingMessage): CookiePlace {
    return { isSecure: this.isSecure(request), basePath: this.#basePath };
  }

  /** Whether a session may be carried: by https, on this machine, or at a plain address that the operator has set. */
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
